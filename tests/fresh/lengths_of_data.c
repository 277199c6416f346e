// What stays of a list whose length the data say, in blocks: how many stay in each block, where they begin, and what
// they are; several times over, so that the list gets shorter.
// run: -i n=262144 -i x=uniform:lo=0,hi=1000,seed=1
// test: -i n=6000 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
#define BLOCK 512
#define ROUNDS 4

void lengths_of_data(int n, const int x[n], int list[n], int length[ROUNDS]) {
    int next[n], blocks = (n + BLOCK - 1) / BLOCK, begins[blocks + 1], count = n;

#pragma omp parallel for
    for (int i = 0; i < n; i++)
        list[i] = x[i];

    for (int r = 0; r < ROUNDS; r++) {
        int used = (count + BLOCK - 1) / BLOCK;
#pragma omp parallel for
        for (int b = 0; b < used; b++) {
            int kept = 0;
            for (int i = b * BLOCK; i < (b + 1) * BLOCK && i < count; i++)
                kept += list[i] % (r + 3) != 0;
            begins[b + 1] = kept;
        }
        begins[0] = 0;
        for (int b = 0; b < used; b++)
            begins[b + 1] += begins[b];
#pragma omp parallel for
        for (int b = 0; b < used; b++) {
            int to = begins[b];
            for (int i = b * BLOCK; i < (b + 1) * BLOCK && i < count; i++)
                if (list[i] % (r + 3) != 0) next[to++] = list[i] + 1;
        }
        count = begins[used];
#pragma omp parallel for
        for (int i = 0; i < count; i++)
            list[i] = next[i];
        length[r] = count;
    }
}
