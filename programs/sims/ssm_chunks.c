// ssm_chunks.c - the recurrence of ssm.c with its time cut into chunks that run side by side: the state that a chunk
// begins with is passed on from chunk to chunk.
//
// Source: the chunked scan of state-space models, as in Mamba-2 (T. Dao, A. Gu, ICML 2024), here with ssm.c's fixed
// coefficients. First every chunk runs from a state of zero and leaves what it adds; then, for each state, a * h + b x
// over a whole chunk is a^CHUNK times what the chunk began with, plus that; then every chunk runs again from its true
// beginning and writes y. Twice the operations of ssm.c, in a CHUNKth of the steps that follow each other. Roundings
// differ from ssm.c's, whose outputs it gives to 1e-4.
//
// Two barriers: what a chunk leaves is read by the second loop, where each chunk begins by the third.
//
// run: -i steps=10000 -i channels=256 -i x=normal:seed=1 -i a=uniform:lo=0.5,hi=0.99,seed=2 -i b=normal:seed=3 -i c=normal:seed=4
// test: -i steps=210 -i channels=64 -i x=normal:seed=1 -i a=uniform:lo=0.5,hi=0.99,seed=2 -i b=normal:seed=3 -i c=normal:seed=4
// check: abs 1e-4
// dispatches: 1

enum { STATES = 16, CHUNK = 40 };

void ssm_chunks(int steps, int channels, const float x[steps][channels], const float a[channels][STATES],
                const float b[channels][STATES], const float c[channels][STATES], float y[steps][channels]) {
    int chunks = (steps + CHUNK - 1) / CHUNK;
    float passed[chunks][STATES][channels]; // what a chunk leaves, then what it begins with

#pragma omp parallel for collapse(2)
    for (int k = 0; k < chunks; k++)
        for (int i = 0; i < channels; i++) {
            float h[STATES];
            for (int s = 0; s < STATES; s++)
                h[s] = 0.0f;
            int past = k * CHUNK + CHUNK < steps ? k * CHUNK + CHUNK : steps;
            for (int t = k * CHUNK; t < past; t++) {
                float now = x[t][i];
                for (int s = 0; s < STATES; s++)
                    h[s] = a[i][s] * h[s] + b[i][s] * now;
            }
            for (int s = 0; s < STATES; s++)
                passed[k][s][i] = h[s];
        }

#pragma omp parallel for collapse(2)
    for (int s = 0; s < STATES; s++)
        for (int i = 0; i < channels; i++) {
            float decay = 1.0f, begin = 0.0f;
            for (int n = 0; n < CHUNK; n++)
                decay *= a[i][s];
            for (int k = 0; k < chunks; k++) {
                float left = passed[k][s][i];
                passed[k][s][i] = begin;
                begin = decay * begin + left;
            }
        }

#pragma omp parallel for collapse(2)
    for (int k = 0; k < chunks; k++)
        for (int i = 0; i < channels; i++) {
            float h[STATES];
            for (int s = 0; s < STATES; s++)
                h[s] = passed[k][s][i];
            int past = k * CHUNK + CHUNK < steps ? k * CHUNK + CHUNK : steps;
            for (int t = k * CHUNK; t < past; t++) {
                float now = x[t][i], sum = 0.0f;
                for (int s = 0; s < STATES; s++) {
                    h[s] = a[i][s] * h[s] + b[i][s] * now;
                    sum += c[i][s] * h[s];
                }
                y[t][i] = sum;
            }
        }
}
