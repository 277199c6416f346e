// _Float16: read from an array, held in variables, every result rounded to 16 bits when it is stored in one.
// test: -i n=48 -i x=uniform:lo=-4,hi=4,seed=1
// check: exact
void halves(int n, const _Float16 x[n], float out[n][3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float f = x[i];
        out[i][0] = f + 0.25f;
        _Float16 h = (_Float16)(f * 3.0f);
        out[i][1] = h;
        _Float16 big = (_Float16)(float)(2048 + i);
        out[i][2] = (float)big;
    }
}
