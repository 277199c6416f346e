// All iterations change a field of one struct.
// test: -i n=32 -i x=zeros
struct state {
    int count, sum;
};
void f(int n, const int x[n], struct state s[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        s[0].sum += x[i];
}
