// The atomic directive: updates of array elements and of shared scalars, the value before or after an update, reads and writes.
// test: -i n=500 -i key=uniform:lo=0,hi=100,seed=1
// check: exact
struct tally {
    int count, least, most;
};

static int third(int x, float f) { return x * f > 100.0f && x > 70 ? 2 : x > 20; }

static void note(unsigned *bits, int *total, int value) {
#pragma omp atomic
    *bits |= 1u << (value & 31);
#pragma omp atomic
    *total -= value;
}

void atomics(int n, const int key[n], int histogram[16], unsigned mask[4], int list[n], int rank[n], struct tally t[3],
             int out[16]) {
    int total = 0, found = 0, done = 0;
    unsigned bits = 0;
    float sum = 0.0f;
    for (int i = 0; i < 3; i++)
        t[i].least = 1000;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = key[i] & 15;
#pragma omp atomic
        histogram[k]++;
#pragma omp atomic update
        mask[i % 4] = mask[i % 4] ^ (unsigned)i;
#pragma omp atomic
        mask[1] &= ~((unsigned)i << 8);
        note(&bits, &total, k);
#pragma omp atomic
        sum += 0.5f;
#pragma omp atomic compare
        t[i % 3].most = t[i % 3].most < key[i] ? key[i] : t[i % 3].most;
#pragma omp atomic compare
        if (t[i % 3].least > key[i]) {
            t[i % 3].least = key[i];
        }
#pragma omp atomic compare
        if (t[key[i] > 50 ? 1 : 2].most < -i + 300) {
            t[key[i] > 50 ? 1 : 2].most = -i + 300;
        }
#pragma omp atomic compare
        t[third(key[i], 1.5f)].least = t[third(key[i], 1.5f)].least > -i ? -i : t[third(key[i], 1.5f)].least;
#pragma omp atomic
        t[i % 3].count = 2 + t[i % 3].count;
        long wide = ((long)i << 33) - key[i];
#pragma omp atomic
        out[8] = out[8] + wide;
#pragma omp atomic
        out[9] = out[9] - wide;
#pragma omp atomic
        mask[3] = wide ^ mask[3];
    }
    out[0] = total;
    out[1] = (int)bits;
    out[2] = (int)sum;

    int count = 0, high = 0; // a list in no order: what matters is that each is in it once
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (key[i] % 3 == 0) {
            int slot, above;
#pragma omp atomic capture
            slot = count++;
#pragma omp atomic capture
            {
                high += 2;
                above = high;
            }
            list[slot] = i;
            int own = 0; // nobody else's
#pragma omp atomic
            own += above;
            rank[i] = own > 0;
        }
    out[3] = count;
    out[4] = high;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i < count) {
            int at = list[i];
#pragma omp atomic
            histogram[at & 15] += at;
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        list[i] = 0;

    int level = 1; // a flag that ends the loop
    while (!done) {
        done = 1;
#pragma omp parallel for
        for (int i = 1; i < n; i++) {
            if (rank[i] == 0 && level < 40 && key[i] % 40 == level) {
                rank[i] = level;
#pragma omp atomic write
                done = 0;
            }
            int now;
#pragma omp atomic read
            now = found;
            if (now < 100 && level == 3) {
#pragma omp atomic
                found++;
            }
        }
        level++;
    }
    out[5] = level;
    out[6] = found > 0;
}
