// No OpenMP at all: the compiler's own program, without a runtime in it.
// plain
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    printf("%d\n", argc * 21);
    return 4;
}
