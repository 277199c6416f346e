// Dimensions of an array of structs and of a field in them count together.
// test: -i n=2
// error: 7:27: 'x.count' has more than 8 dimensions, those of the array and of its field; make two of them one
struct cell {
    int count[3][1];
};
void f(int n, struct cell x[n][2][1][1][1][1][1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i][0][0][0][0][0][0].count[0][0] += 1;
}
