// shortest_paths.c - the shortest ways from one place of a road network to all others.
//
// Source: R. Bellman, "On a routing problem", 1958. Roads are in compressed rows by where they lead to: 4 to 8 to each
// place, from places nearby. A pass looks at all roads; it is over when no way became shorter.
//
// run: -i n=100000 -i seed=1
// test: -i n=300 -i seed=1
// check: exact
// dispatches: 1
// barriers: 1 a pass
#include <stdint.h>

#include "../lib/integer_hash.h"

enum { FEWEST = 4, PATTERN_ROADS = 30, PATTERN = 5, FAR = 1 << 30 };

static int roads_before(int v) {
    int rest = v % PATTERN;
    return v / PATTERN * PATTERN_ROADS + rest * FEWEST + rest * (rest - 1) / 2;
}

void shortest_paths(int n, uint32_t seed, int first[n + 1], int source[(n / PATTERN + 1) * PATTERN_ROADS],
                    int length[(n / PATTERN + 1) * PATTERN_ROADS], int way[n], int passes[1]) {
    int way2[n];
#pragma omp parallel for
    for (int v = 0; v <= n; v++) {
        first[v] = roads_before(v);
        if (v == n) continue;
        way[v] = v == 0 ? 0 : FAR;
        for (int e = roads_before(v); e < roads_before(v + 1); e++) {
            uint32_t r = integer_hash((uint32_t)e + seed);
            int from = v + (int)(r % 301u) - 150;
            source[e] = from < 0 ? from + n : from >= n ? from - n : from;
            length[e] = 1 + (int)((r >> 16) % 100u);
        }
    }
    int changes = 1, pass = 0;
    while (changes > 0) {
        changes = 0;
#pragma omp parallel for reduction(+ : changes)
        for (int v = 0; v < n; v++) {
            int least = way[v];
            for (int e = first[v]; e < first[v + 1]; e++)
                if (way[source[e]] + length[e] < least) least = way[source[e]] + length[e];
            way2[v] = least;
            if (least != way[v]) changes++;
        }
#pragma omp parallel for
        for (int v = 0; v < n; v++)
            way[v] = way2[v];
        pass++;
    }
    passes[0] = pass;
}
