// bfs.c - how many steps each vertex of a graph is away from vertex 0, level by level.
//
// The graph is a ring of neighbourhoods with a few long ways (D. Watts, S. Strogatz, "Collective dynamics of
// small-world networks", Nature 1998), in compressed rows: source[first[v] .. first[v + 1]) are the vertices with an
// edge to v. A vertex has 1 to 8 of them, in a pattern that repeats, so that first[] has a closed form. An edge comes
// from up to REACH places away, one in 1000 from anywhere. distance[v] is -1 where no way leads, levels[0] counts the
// levels.
//
// In each pass the vertices without a distance look whether one of their sources was reached in the pass before. That
// is asked of an array of marks and not of the distances, which are being written. The loop ends when nothing changed.
//
// One barrier a level, after a pass: the next one reads its marks and whether anything changed, and writes over the
// marks that it read.
//
// run: -i n=1000000 -i seed=1
// test: -i n=600 -i seed=1
// check: exact
// dispatches: 1
// barriers: 1 a level
#include <stdbool.h>

#include "../lib/philox.h"

enum { PATTERN = 8, PATTERN_EDGES = 30 };

#define REACH 100

// Of vertices 0..7 of the pattern: the number of their edges before them.
static const int pattern[PATTERN] = {0, 1, 5, 7, 15, 18, 20, 26};

static int edges_before(int v) { return v / PATTERN * PATTERN_EDGES + pattern[v % PATTERN]; }

static int draw_source(int n, int v, int edge, uint32_t seed) {
    struct philox r = philox4x32((uint32_t)edge, 0, 0, 0, seed, 0);
    if (r.x % 1000u == 0u) return (int)philox_mulhi(r.y, (uint32_t)n);
    int away = (int)philox_mulhi(r.y, 2 * REACH + 1) - REACH;
    return (v + away % n + n) % n;
}

void bfs(int n, uint32_t seed, int first[n + 1], int source[(n / PATTERN + 1) * PATTERN_EDGES], int marked[n],
         int marked2[n], int distance[n], int levels[1]) {
    int *now = marked, *next = marked2;

#pragma omp parallel for
    for (int v = 0; v < n; v++) {
        first[v] = edges_before(v);
        if (v == n - 1) first[n] = edges_before(n);
        for (int e = edges_before(v); e < edges_before(v + 1); e++)
            source[e] = draw_source(n, v, e, seed);
        marked[v] = v == 0 ? 1 : 0;
        distance[v] = v == 0 ? 0 : -1;
    }

    int level = 0;
    bool changed = true;
    while (changed) {
        changed = false;
        level++;
#pragma omp parallel for reduction(|| : changed)
        for (int v = 0; v < n; v++) {
            bool reached = false;
            if (distance[v] < 0)
                for (int e = first[v]; e < first[v + 1] && !reached; e++)
                    reached = now[source[e]] != 0;
            next[v] = reached ? 1 : 0;
            if (reached) distance[v] = level;
            changed = changed || reached;
        }
        int *old = now;
        now = next;
        next = old;
    }
    levels[0] = level;
}
