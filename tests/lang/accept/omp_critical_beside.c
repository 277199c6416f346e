// Critical sections that threads come to one after the other, with loops of each thread before, between and behind them: in the region's block
// and in one inside of it, with arrays and structs of the threads, under a condition, and with a pointer of each thread.
// test: -i n=200 -i x=uniform:lo=-5,hi=5,seed=1
// check: rel 1e-5
#include <omp.h>

struct found {
    float least, most;
    int at;
};

static void take(struct found *all, const struct found *own) {
#pragma omp critical
    {
        float before = all->least;
        if (own->least < before) all->at = own->at;
        all->least = own->least < before ? own->least : before;
        all->most = all->most > own->most ? all->most : own->most + 0.0f * before;
    }
}

void beside(int n, const float x[n], float y[n], float out[8], int seen[4]) {
    struct found all = {1e9f, -1e9f, -1};
    int rest = 0, late = 0;
#pragma omp parallel num_threads(4)
    {
        int id = omp_get_thread_num(), from = id * n / 4, to = (id + 1) * n / 4;
        float s, tail[3] = {0};
#pragma omp critical
        {
            s = 1.0f + (float)id;
            rest = (rest + id + 3) % 7;
            seen[id] = seen[id] + 1;
        }
        struct found own = {1e9f, -1e9f, 0};
        for (int i = from; i < to; i++) {
            s = 0.5f * s + x[i];
            y[i] = s;
            if (s < own.least) own.least = s, own.at = i;
            if (s > own.most) own.most = s;
        }
        {
            if (id != 2) take(&all, &own);
            for (int i = from; i < to; i++)
                tail[i % 3] += y[i] * (float)id;
        }
#pragma omp critical
        {
            late = (late + (int)tail[0] + 100) % 31;
            out[id] = tail[0];
        }
        for (int k = 0; k < 3; k++)
            out[4 + id] += tail[k];
    }
#pragma omp parallel num_threads(4)
    {
        float *mine = y + omp_get_thread_num() * (n / 4);
#pragma omp critical
        {
            late = (late + (int)mine[0] + 100) % 31;
            mine[1] = 0.25f * mine[0];
        }
        for (int i = 2; i < n / 4; i++)
            mine[i] += mine[i - 1];
    }
    seen[0] += all.at * 1000 + rest * 100 + late;
    out[0] += all.least + all.most;
}
