// Clauses that make variables at file scope private: functions that are called mean the variables themselves.
// test: -i n=12 -i x=arange -i y=zeros -i z=zeros -i w=zeros
// check: exact
struct scale {
    float by, to;
};

static float step = 2.0f;
static struct scale scale = {3.0f, 5.0f};
static int table[3] = {7, 8, 9};
static int last = 4;

static float stepped(float v) { return v * step; }
static float scaled(float v) { return stepped(v) * scale.by + scale.to; }

// It has a directive of its own, for whose body it holds, too.
static void shift(int n, const float x[n], float w[n]) {
#pragma omp parallel for firstprivate(scale, table)
    for (int i = 0; i < n; i++) {
        scale.by = x[i] + (scale.to - 4.0f);
        w[i] = scaled(scale.by) + (float)table[i % 3];
    }
}

static float looked_up(int k) { return (float)(table[k % 3] + last); }

void work(int n, const float x[n], float y[n], float z[n], float w[n]) {
#pragma omp parallel for private(step)
    for (int i = 0; i < n; i++) {
        step = x[i] + 1.0f;
        y[i] = scaled(step) + step;
    }
#pragma omp parallel firstprivate(scale) private(table)
    {
        scale.to = 100.0f;
#pragma omp for
        for (int i = 0; i < n; i++) {
            table[0] = i;
            z[i] = scaled(x[i]) + scale.to + looked_up(i) + (float)table[0];
        }
    }
    shift(n, x, w);
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++) {
        last = i * 3;
        w[i] += (float)last;
    }
    w[0] += looked_up(0);
}
