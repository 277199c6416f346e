// Arithmetic of float, + - * /, on values that have no rounding, so that every compiler gives the same bits; mixed with int.
// test: -i n=64
// check: exact
void arithmetic(int n, float out[n][6]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float x = (float)(i - 32) * 0.25f, y = (float)(1 << i % 8);
        out[i][0] = x + y - 0.5f;
        out[i][1] = x * y * -x;
        out[i][2] = x / y;
        out[i][3] = -x;
        out[i][4] = x * 3 + i;
        float z = 7;
        z /= 2;
        z -= i;
        out[i][5] = z + i / 2;
    }
}
