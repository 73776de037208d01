"""The rules: each is a function of its own with a code of its own, in the module named after what it looks at.

`names`, `arguments` and `schema` judge schema text and give faults with offsets into it, so that equal texts are judged
once. `operators`, `crossing`, `expansion`, `groups`, `views` and `late` judge operators and report to the context.
"""
