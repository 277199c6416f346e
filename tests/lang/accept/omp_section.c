// Critical sections that are more than updates, once a thread: threads of a region run them one after the other. The largest of all and its
// place, tables of each thread added up, a section under a condition, private variables that only the section uses.
// test: -i n=700 -i x=uniform:lo=-90,hi=90,seed=1
// check: exact
#include <omp.h>

struct best {
    float value;
    int at;
};

void sections(int n, const float x[n], struct best out[3], int bins[8], int sums[4]) {
    float most = -100.0f, least = 100.0f;
    int at = -1, order = 0, weighted = 0;
    for (int k = 0; k < 8; k++)
        bins[k] = 0;
#pragma omp parallel num_threads(24)
    {
        float mine = -100.0f, low = 100.0f;
        int place = -1, count[8] = {0}, step = 0;
#pragma omp for
        for (int i = 0; i < n; i++) {
            if (x[i] > mine) {
                mine = x[i];
                place = i;
            }
            if (x[i] < low)
                low = x[i];
            count[i * 7 % 8]++;
        }
#pragma omp critical
        if (mine > most || (mine == most && place < at)) {
            most = mine;
            at = place;
        }
#pragma omp critical
        {
            for (int k = 0; k < 8; k++)
                bins[k] += count[k];
            step = step + 2;
            order = order * 3 % 1000 + step;
            weighted += step * (mine > 0.0f ? 1 : 2);
        }
        if (place >= 0) {
#pragma omp critical(low)
            if (low < least)
                least = low;
        }
#pragma omp barrier
#pragma omp single
        out[0].value = most;
    }
    out[1].value = least;
    out[0].at = out[1].at = at;
    out[2].value = most - least;
    out[2].at = n;
    sums[0] = order;
    sums[1] = weighted;
    sums[2] = sums[3] = bins[0] + bins[7];
}
