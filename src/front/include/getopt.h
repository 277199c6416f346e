// Declared so that a file may keep its main for other compilers; none of it runs in kernels.
#pragma once

#include <unistd.h>

#define no_argument 0
#define required_argument 1
#define optional_argument 2
