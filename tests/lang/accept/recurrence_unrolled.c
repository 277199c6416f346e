// A recurrence over a small local array, unrolled: each element is made of four before it, so the last one is a sum of
// very many paths. Compiling must not walk them all.
// test: -i n=40
// check: exact
enum { LENGTH = 64, FIRST = 16 };

void recurrence(int n, unsigned out[n]) {
#pragma omp parallel for
    for (int b = 0; b < n; b++) {
        unsigned w[LENGTH], state[8] = {1, 2, 3, 4, 5, 6, 7, (unsigned)b};
        for (int i = 0; i < FIRST; i++)
            w[i] = (unsigned)(i * b);
        for (int i = FIRST; i < LENGTH; i++)
            w[i] = w[i - 16] + (w[i - 15] >> 7 ^ w[i - 15] << 3) + w[i - 7] + (w[i - 2] >> 17 ^ w[i - 2] << 5);
        for (int i = 0; i < LENGTH; i++) {
            unsigned one = state[7] + (state[4] >> 6 ^ state[4] << 11) + w[i], other = state[0] >> 2 ^ state[0] << 13;
            for (int k = 7; k > 0; k--)
                state[k] = state[k - 1];
            state[4] += one;
            state[0] = one + other;
        }
        out[b] = state[0] + state[7];
    }
}
