// What threads take from one iteration to the next: arrays of a region of which an iteration sets a part, tables that only the first
// iteration of a thread fills, counts of each thread, copies by firstprivate that change; and arrays that are each iteration's own.
// test: -i n=1000
// check: exact
void carried(int n, int out[9][n], int counts[8]) {
#pragma omp parallel num_threads(3)
    {
        int h[4] = {0}, seen[8] = {0}, own[2][3] = {{1, 2, 3}, {4, 5, 6}}, few[2] = {7, 8};
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i % 4; k++)
                h[k] = i;
            seen[i % 8] += i;
            out[0][i] = h[3 & i] + h[2];
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 2; k++)
                for (int j = 0; j < 3; j++)
                    own[k][j] = i * k + j;
            few[0] = i;
            if (i % 3)
                few[1] = 2;
            else
                few[1] = i;
            out[1][i] = own[i % 2][i % 3] + few[i % 2];
        }
        for (int k = 0; k < 8; k++)
#pragma omp atomic
            counts[k] += seen[k];
    }
#pragma omp parallel num_threads(5)
    {
        int table[16], filled = 0, work[12];
#pragma omp for
        for (int i = 0; i < n; i++) {
            if (!filled)
                for (int k = 0; k < 16; k++)
                    table[k] = i * k;
            filled = 1;
            out[2][i] = table[i % 16];
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
            int used = 0;
            for (int k = 0; k < 12; k++)
                if ((i >> k) % 3 == 1) work[used++] = k;
            out[3][i] = 0;
            for (int k = 0; k < used; k++)
                out[3][i] += work[k] * (k + 1);
        }
    }
#pragma omp parallel num_threads(3)
    {
        int sums[4];
#pragma omp for schedule(static, 10)
        for (int i = 0; i < n; i++) {
            if (i % 10 == 0)
                for (int k = 0; k < 4; k++)
                    sums[k] = 0;
            sums[i % 4] += i;
            out[7][i] = sums[i % 4];
        }
    }
#pragma omp parallel num_threads(3)
    {
        long long wide[4];
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 4; k++)
                wide[k] = (long long)(i + k) << 32;
            wide[i % 4] += 2;
            out[8][i] = (int)(wide[i % 4] >> 31) + (int)wide[1];
        }
    }
    int x = 5, last[3] = {1, 2, 3};
    unsigned seed = 17;
#pragma omp parallel for firstprivate(x, last) num_threads(4)
    for (int i = 0; i < n; i++) {
        if (i % 7 == 0) x = i;
        last[i % 3] += x;
        out[4][i] = x + last[(i + 1) % 3];
    }
#pragma omp parallel for firstprivate(seed, x) num_threads(2) schedule(static, 10)
    for (int i = 0; i < n; i++) {
        seed = seed * 1103515245u + 12345u;
        out[5][i] = (int)(seed >> 16) % 100 + x;
    }
#pragma omp parallel for firstprivate(x)
    for (int i = 0; i < n; i++) {
        x = i * 2;
        out[6][i] = x;
    }
}
