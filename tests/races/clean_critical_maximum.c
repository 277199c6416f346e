// A maximum and its place under one critical section.
// test: -i n=32 -i x=arange
void f(int n, const int x[n], int most[1], int at[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical(best)
        {
            if (x[i] > most[0] || (x[i] == most[0] && i < at[0])) {
                most[0] = x[i];
                at[0] = i;
            }
        }
    }
}
