// The words of a struct are one dimension more.
// test: -i n=2
// error: 7:27: 'x' has 8 dimensions, and a parameter of structs or of 64-bit integers can have 7 at most; make two of them one
struct cell {
    int count[3];
};
void f(int n, struct cell x[n][2][1][1][1][1][1][1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i][0][0][0][0][0][0][0].count[0] += 1;
}
