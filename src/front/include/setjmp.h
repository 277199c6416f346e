// Declared so that a file may keep its main for other compilers; none of it runs in kernels.
#pragma once

typedef long jmp_buf[32];
typedef long sigjmp_buf[32];

int setjmp(jmp_buf state);
_Noreturn void longjmp(jmp_buf state, int value);
