// As many dimensions as an array can have; of structs one less, since their words are one more.
// test: -i n=3
struct cell {
    int count[3];
};
void f(int n, float x[n][2][1][2][1][1][2][1], struct cell cells[n][2][1][1][1][1][2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            x[i][k][0][1][0][0][k][0] += (float)(i + k);
            cells[i][k][0][0][0][0][1].count[2] = 10 * i + k;
        }
}
