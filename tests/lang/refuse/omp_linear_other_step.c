// The body steps a linear variable by another constant than the clause says.
// error: 6:33: linear(k : 2): the loop's body steps 'k' by 5
// test: -i n=16
void f(int n, float x[n], int out[1]) {
    int k = 0;
#pragma omp parallel for linear(k : 2)
    for (int i = 0; i < n; i++) {
        x[i] = (float)k;
        k += 5;
    }
    out[0] = k;
}
