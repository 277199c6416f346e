// pagerank.c - the share of time that a random reader spends on each page of a web.
//
// Source: S. Brin, L. Page, "The anatomy of a large-scale hypertextual web search engine", 1998; damping 0.85. The web
// is in compressed rows: source[first[v] .. first[v + 1]) are the pages that link to v, 1 to 8 of them in a pattern
// that repeats, so that first[] has a closed form. Sources are drawn with a bias to low numbers (n u^3), so that some
// pages link to hundreds and one in eight to none; whoever reads one of those jumps anywhere. links[u] counts a page's
// links, score is the result and sums to 1. The loop ends when the scores move by less than `tolerance` in sum, or
// after `most` passes.
//
// A pass needs of other pages only score / links, which lies in an array of its own, of which there are two in turn.
// One barrier a pass: the next one reads the shares and both sums, and overwrites the shares that were read.
//
// run: -i n=1000000 -i most=100 -i tolerance=1e-5 -i seed=1
// test: -i n=500 -i most=100 -i tolerance=1e-5 -i seed=1
// check: exact
// check: score rel 1e-4
// check: share rel 1e-4
// check: share2 rel 1e-4
// check: movement abs 3e-6
// check: passes abs 1
// dispatches: 1
// barriers: 1 a pass
#include <math.h>

#include "../lib/philox.h"

enum { PATTERN = 8, PATTERN_LINKS = 30 };

#define DAMPING 0.85f

// Of pages 0..7 of the pattern: the number of links to pages before them.
static const int pattern[PATTERN] = {0, 1, 5, 7, 15, 18, 20, 26};

static int links_before(int v) { return v / PATTERN * PATTERN_LINKS + pattern[v % PATTERN]; }

// The share that a page gives to each page that it links to.
static float share_of(float score, int links) { return links > 0 ? score / (float)links : 0.0f; }

void pagerank(int n, int most, float tolerance, uint32_t seed, int first[n + 1],
              int source[(n / PATTERN + 1) * PATTERN_LINKS], int links[n], float score[n], float share[n],
              float share2[n], float movement[1], int passes[1]) {
    float *now = share, *next = share2;

#pragma omp parallel for
    for (int v = 0; v < n; v++) {
        first[v] = links_before(v);
        if (v == n - 1) first[n] = links_before(n);
        for (int e = links_before(v); e < links_before(v + 1); e++) {
            struct philox r = philox4x32((uint32_t)e, 0, 0, 0, seed, 0);
            uint32_t low = philox_mulhi(r.x, philox_mulhi(r.x, r.x));
            source[e] = (int)philox_mulhi(low, (uint32_t)n);
        }
    }
#pragma omp parallel for
    for (int e = 0; e < links_before(n); e++) {
#pragma omp atomic
        links[source[e]]++;
    }

    float lost = 0.0f; // by pages without links
#pragma omp parallel for reduction(+ : lost)
    for (int v = 0; v < n; v++) {
        score[v] = 1.0f / (float)n;
        share[v] = share_of(score[v], links[v]);
        if (links[v] == 0) lost += score[v];
    }

    float moved = 1.0f;
    int pass = 0;
    while (moved > tolerance && pass < most) {
        float base = (1.0f - DAMPING + DAMPING * lost) / (float)n;
        moved = 0.0f;
        lost = 0.0f;
#pragma omp parallel for reduction(+ : moved, lost)
        for (int v = 0; v < n; v++) {
            float sum = 0.0f;
            for (int e = first[v]; e < first[v + 1]; e++)
                sum += now[source[e]];
            float fresh = base + DAMPING * sum;
            moved += fabsf(fresh - score[v]);
            if (links[v] == 0) lost += fresh;
            score[v] = fresh;
            next[v] = share_of(fresh, links[v]);
        }
        float *old = now;
        now = next;
        next = old;
        pass++;
    }
    movement[0] = moved;
    passes[0] = pass;
}
