// Each iteration takes a slot of its own from a counter, or an index from data: different iterations, different elements.
// test: -i n=100 -i key=uniform:lo=0,hi=1,seed=1
// check: exact
void f(int n, const int key[n], int list[n], int out[n]) {
    int count = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int slot;
#pragma omp atomic capture
        slot = count++;
        list[slot] = i;
        int k = key[i] + i;
        out[k] = i;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        list[i] = count;
}
