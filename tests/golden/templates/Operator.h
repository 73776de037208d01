$declarations
