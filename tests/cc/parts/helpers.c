#include "parts.h"
#include <stdio.h>

static double offset = 0.5;
static double twice(double v) { return v * 2; }
static double share(int m, double at) { return table[m][0] + at * (table[m][1] + at * table[m][2]); }
void exact_all(double at, struct cell *out);

static const double factors[2] = {0.5, 2};

void say(int line) { fprintf(stderr, "%d\n", line); }

double part_of(int m, double at);

void exact(double at, struct cell *out) {
    out->value = 0;
    out->weight = 1;
    for (int m = 0; m < 5; m++)
        out->value += table[m][0] + at * (table[m][1] + at * table[m][2]);
    if (at > 1) {
        double row[SIZE] = {at};
        eliminate(row, 0.5);
        out->weight += row[0];
    }
}

void eliminate(double row[SIZE], double factor) {
    for (int i = 1; i < SIZE; i++)
        row[i] -= factor * row[i - 1];
}

double counted(double v) {
    static int calls;
    calls++;
    return v + 1;
}

double weighed(double v) { return twice(v) + share(1, v) * factors[1]; }

double doubled(double v) { return twice(v) - factors[0]; }

double mixed(double v) { return twice(v) + offset + share(1, v) * factors[1]; }
