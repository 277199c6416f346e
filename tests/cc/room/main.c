// Variables of each thread that several files name: one is room to work in wherever it is used, of the other a region of another file uses
// what was left. So regions that only work in it stay on the CPU, too.
#include "room.h"
#include <stdio.h>

double room[32], kept[32];
static double x[500];

// it names the variable, and the region that calls it is in another file
void set_room(int from) {
    for (int k = 0; k < 32; k++)
        room[k] = from + k;
}

int main(void) {
    fill(500, x);
    printf("%g %g\n", x[3], x[499]);
    fill_kept(500, x);
    look(500, x);
    printf("%g %g\n", x[3], x[499]);
    return 0;
}
