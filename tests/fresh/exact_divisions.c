// Divisions by constants beside other constants, as C rounds them: WGSL's own may be a few units in the last place beside,
// and drivers make products of them (pass_hold_rounding, whorl_divide).
// run: -i n=200000 -i x=uniform:lo=-1000,hi=1000,seed=3
// test: -i n=4000 -i x=uniform:lo=-1000,hi=1000,seed=3
// check: exact
void exact_divisions(int n, const float x[n], float y[n], int z[n], float w[n], float u[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * 3.3f / 7.7f;
        z[i] = (int)(x[i] / 48.0f * 255.0f);
        w[i] = x[i] / 3000.0f * 1.1f;
        u[i] = x[i] / 0.01f / 7.0f / 3.3f;
    }
}
