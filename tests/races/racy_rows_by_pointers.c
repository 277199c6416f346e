// Two row pointers lead to one row.
// test: -i n=24
void f(int n, float a[4][8]) {
    float *row[4] = {a[0], a[1], a[1], a[3]};
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            row[i][j] += 1.0f;
}
