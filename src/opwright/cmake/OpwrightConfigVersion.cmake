# The version is the one of the Python package around this folder. Before 1.0, minor versions may differ in anything.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../__init__.py" _opwright_line REGEX "^__version__ = ")
string(REGEX MATCH "[0-9]+[0-9.]*" PACKAGE_VERSION "${_opwright_line}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _opwright_minor "${PACKAGE_VERSION}")

if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION AND PACKAGE_FIND_VERSION VERSION_GREATER_EQUAL _opwright_minor)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
