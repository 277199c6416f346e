// Critical sections that keep the best of all, in functions that the loop calls: of what they are handed by pointers, of variables at file
// scope and static ones; in functions of functions, several calls of one, under conditions, as a whole struct; the
// same functions outside of loops, and once a thread of a region.
// test: -i n=900 -i x=uniform:lo=-90,hi=90,seed=1
// check: exact
struct found {
    float value;
    int at;
};

static float high;
static int high_at, most = -5;
static long long far;
static struct found whole = {1e9f, -1};

static void keep(struct found *best, float value, int at) {
#pragma omp critical
    if (value > best->value || (value == best->value && at < best->at)) {
        best->value = value;
        best->at = at;
    }
}

static void keep_apart(float *value, int where[2], float v, int i) {
#pragma omp critical(apart)
    if (v < *value || (v == *value && i < where[1])) {
        *value = v;
        where[1] = i;
    }
}

static void note(float v, int i) {
#pragma omp critical
    if (v > high) {
        high = v;
        high_at = i;
    }
}

static int deeper(float v, int i) {
    if (i % 3 == 0)
        note(v, i);
    int step = (int)v * i;
#pragma omp critical
    if (step > most)
        most = step;
#pragma omp critical(far)
    if (far < ((long long)step << 20))
        far = (long long)step << 20;
    return step;
}

static int count(float v, int i) {
    static int last = -1;
    struct found here = {v * v - v, i};
#pragma omp critical(count)
    if (here.value < whole.value || (here.value == whole.value && here.at < whole.at))
        whole = here;
#pragma omp critical(last)
    if (i > last)
        last = i;
    return here.at / 2;
}

static void largest(int n, const float *x, struct found *out) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        keep(out, x[i], i);
}

void called(int n, const float x[n], int y[n], float out[8], int at[10]) {
    struct found first = {-100.0f, -1}, second = {-100.0f, -1};
    struct found pair[2] = {{-3.0f, -1}, {-3.0f, -1}};
    float low = 1000.0f;
    int where[2] = {7, -1};
    keep(&first, -99.0f, -2);
    largest(n, x, &second);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        keep(&first, x[i] * 0.5f, i);
        if (i % 2)
            keep(&pair[1], x[i], i);
        for (int k = 0; k < 3; k++)
            keep(&first, x[i] * (float)k - 60.0f, i);
        keep_apart(&low, where, x[i] - (float)(i % 7), i);
    }
#pragma omp parallel for reduction(+ : where[:1])
    for (int i = 0; i < n; i++) {
        where[0] += i;
        y[i] = deeper(x[i], i);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        count(x[i], i);
    out[0] = first.value;
    out[1] = second.value;
    out[2] = pair[1].value;
    out[3] = low;
    out[4] = high;
    out[5] = whole.value;
    at[0] = first.at;
    at[1] = second.at;
    at[2] = pair[1].at + pair[0].at;
    at[3] = where[1];
    at[4] = where[0];
    at[5] = high_at;
    at[6] = most;
    at[7] = (int)(far >> 20);
    at[8] = whole.at + count(100.0f, 5000);
    struct found all = {-1000.0f, -1};
#pragma omp parallel num_threads(9)
    {
        float mine = -1000.0f;
        int place = -1;
#pragma omp for
        for (int i = 0; i < n; i++)
            if (x[i] > mine) {
                mine = x[i];
                place = i;
            }
        keep(&all, mine, place);
    }
    out[6] = all.value;
    at[9] = all.at;
}
