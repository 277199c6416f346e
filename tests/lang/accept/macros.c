// The preprocessor: macros with and without parameters, # and ##, variadic ones, #if and defined, __LINE__, _Pragma, -D values.
// test: -i n=20
// check: exact
#define SQUARE(x) ((x) * (x))
#define JOIN(a, b) a##b
#define TEXT(x) #x
#define SUM3(...) sum3(__VA_ARGS__)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define REPEAT(body) \
    for (int k_ = 0; k_ < 3; k_++) { \
        body;                        \
    }
#ifndef SCALE
#define SCALE 4
#endif
#if defined(SCALE) && SCALE * 2 > 7 && !defined NOTHING
#define KIND 1
#elif 1
#define KIND 2
#else
#error "not reached"
#endif
#undef NOTHING
#ifdef NOTHING
this is skipped @ text
#endif
#if 0
#else
#endif

static int sum3(int a, int b, int c) {
    return a + b + c;
}

void macros(int n, int out[n][6]) {
    int JOIN(valu, e) = SCALE;
    _Pragma("omp parallel for")
    for (int i = 0; i < n; i++) {
        out[i][0] = SQUARE(i + 1) + value;
        out[i][1] = SUM3(i, JOIN(1, 0), MAX(i, 7));
        out[i][2] = (int)sizeof TEXT(a + b);
        int r = 1;
        REPEAT(r = r * 2 + i)
        out[i][3] = r;
        out[i][4] = KIND;
        out[i][5] = __LINE__;
    }
}
