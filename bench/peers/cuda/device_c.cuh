// The C of programs/lib, compiled for the device: its functions and tables are `static`.
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#define __builtin_clz __clz
#define static static __device__
#include "../../../programs/lib/genetic.h"
#include "../../../programs/lib/philox.h"
#undef static
