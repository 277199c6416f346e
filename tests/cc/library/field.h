#pragma once
#include <stddef.h>
enum { NX = 24, NY = 32, NZ = 40 };
typedef float real;
extern real field[NX][NY][NZ];
extern int steps_done;
void field_init(real height);
void field_step(real rate);
real field_sum(void);
