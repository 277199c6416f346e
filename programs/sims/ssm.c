// ssm.c - the recurrence of a diagonal state-space model over a sequence: h = a h + b x, y = sum over the states of c
// h.
//
// Source: the linear time-invariant layer of S4D (A. Gu, A. Gupta, K. Goel, C. Re, NeurIPS 2022) with real
// coefficients, already discrete. Each channel has 16 states and its own coefficients; a step needs the one before,
// channels do not need each other. x, y are [step][channel]; h starts at 0.
//
// run: -i steps=10000 -i channels=256 -i x=normal:seed=1 -i a=uniform:lo=0.5,hi=0.99,seed=2 -i b=normal:seed=3 -i c=normal:seed=4
// test: -i steps=200 -i channels=64 -i x=normal:seed=1 -i a=uniform:lo=0.5,hi=0.99,seed=2 -i b=normal:seed=3 -i c=normal:seed=4
// check: abs 1e-4
// dispatches: 1

enum { STATES = 16 };

void ssm(int steps, int channels, const float x[steps][channels], const float a[channels][STATES],
         const float b[channels][STATES], const float c[channels][STATES], float y[steps][channels]) {
#pragma omp parallel for
    for (int i = 0; i < channels; i++) {
        float h[STATES];
        for (int s = 0; s < STATES; s++)
            h[s] = 0.0f;
        for (int t = 0; t < steps; t++) {
            float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
            for (int s = 0; s < STATES; s++) {
                h[s] = a[i][s] * h[s] + b[i][s] * x[t][i];
                sum += c[i][s] * h[s];
            }
            y[t][i] = sum;
        }
    }
}
