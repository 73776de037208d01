// ${generated_comment}
// Nothing but the header: what is wrong in it shows here, and not first in a file that uses it.
#include <ATen/Functions.h>
