#include <math.h>
#include <stdint.h>
#undef isnan
int isnan; float f = M_PI * FLT_MAX; uint32_t u = UINT32_MAX;
