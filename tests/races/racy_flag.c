// A search that sets a flag as often as it finds something.
// test: -i n=32 -i x=zeros
void f(int n, const int x[n], int found[1]) {
    int seen = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] >= 0) seen = 1;
    found[0] = seen;
}
