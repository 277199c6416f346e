// The compiler bails out with longjmp, which WebAssembly and its C library lack. Here it leaves for good: what there is
// to say is written down, and the instance traps. Whoever called reads that and throws the instance away.
#ifndef WHORL_WEB_SETJMP_H
#define WHORL_WEB_SETJMP_H

typedef struct {
    int unused;
} jmp_buf[1];

_Noreturn void web_leave(const jmp_buf place); // web/compiler/door.c
#define setjmp(place) ((void)(place), 0)
#define longjmp(place, value) ((void)(value), web_leave(place))

#endif
