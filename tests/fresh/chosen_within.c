// Elements of a small local array that data choose, by indices that only a guard keeps within a table: loops go on where
// the table ends, upwards and downwards, around loops that lanes share and as one.
//
// run: -i n=65536 -i count=uniform:lo=0,hi=200,seed=1 -i a=uniform:lo=-1,hi=1,seed=2 -i t=uniform:lo=0,hi=4,seed=3 -i x=uniform:lo=-1,hi=1,seed=4
// test: -i n=40 -i count=uniform:lo=0,hi=200,seed=1 -i a=uniform:lo=-1,hi=1,seed=2 -i t=uniform:lo=0,hi=4,seed=3 -i x=uniform:lo=-1,hi=1,seed=4
// check: near 1e-3
enum { K = 4, T = 32, X = 64 };
void chosen_within(int n, const float a[n][K], const int count[n], const int t[T], const float x[X], float out[n][4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float w[K];
        for (int k = 0; k < K; k++)
            w[k] = a[i][k];

        float s = 0.0f;
#pragma omp simd reduction(+ : s)
        for (int j = 0; j < count[i]; j++)
            s += j < T ? w[t[j]] : 0.5f;
        out[i][0] = s;

        float up = 0.0f, down = 0.0f, often = 0.0f;
        for (int j = 0; j < count[i]; j++) {
            float q = 0.0f;
#pragma omp simd reduction(+ : q)
            for (int k = 0; k < X; k++)
                q += x[k] * (j < T ? w[t[j]] : 0.5f);
            up += q;
        }
        for (int j = count[i]; j >= 0; j--) {
            float q = 0.0f;
#pragma omp simd reduction(+ : q)
            for (int k = 0; k < X; k++)
                q += x[k];
            down += q * (j < T ? w[t[j]] : 0.5f);
        }
        for (int j = 0; j < count[i]; j++) {
            float q = 0.0f;
#pragma omp simd reduction(+ : q)
            for (int k = 0; k < X; k++)
                q += x[k];
            for (int r = j; r < T; r++)
                q = q * 0.5f + w[t[j]];
            often += q;
        }
        out[i][1] = up;
        out[i][2] = down;
        out[i][3] = often;
    }
}
