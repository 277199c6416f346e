// Critical sections whose parts need nothing of each other: counters and sums under conditions and in loops, beside the best of all.
// test: -i n=400 -i x=uniform:lo=-50,hi=50,seed=1 -i key=uniform:lo=0,hi=5,seed=2
// check: exact
struct tally {
    int count, sum;
    unsigned seen;
    float weight;
};

static void note(struct tally *t, int *hits, int value) {
#pragma omp critical(tally)
    {
        int half = value / 2;
        t->count++;
        if (half > 3) {
            t->sum += half;
            *hits += 1;
        } else
            t->seen |= 1u << (half & 7);
        t->weight -= 0.5f;
    }
}

void critical_parts(int n, const int x[n], const int key[n], struct tally all[6], int centre[6][4], int size[6],
                    int out[8]) {
    int hits = 0, positive = 0, most = -1000, at = -1, seen = 0, least = 1000, k;
    float total = 0.0f;
#pragma omp parallel for private(k)
    for (int i = 0; i < n; i++) {
        int c = key[i], v = x[i];
        note(&all[c], &hits, v);
#pragma omp critical
        {
            for (k = 0; k < 4; k++)
                centre[c][k] += v * k;
            size[c]++;
            size[(c + 1) % 6] -= ((long)v << 31) + 2;
        }
#pragma omp critical(best)
        {
            seen++;
            total += 0.5f;
            if (v > most || (v == most && i < at)) {
                most = v;
                at = i;
            }
            if (v < least) least = v;
            if (v > 0) {
                positive += v;
                total -= 1.0f;
            }
        }
    }
    out[0] = hits;
    out[1] = positive;
    out[2] = most;
    out[3] = at;
    out[4] = seen;
    out[5] = least;
    out[6] = (int)(total * 2.0f);
}
