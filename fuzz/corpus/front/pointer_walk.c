// Pointers that walk: over an array until a sentinel or an end, two at once, through a copy of a parameter.
// test: -i n=30 -i x=arange
// check: exact
static float polynomial(const float *c, int degree, float x) {
    const float *p = c + degree;
    float r = *p;
    while (p > c)
        r = r * x + *--p;
    return r;
}

static int length(const char *text) {
    const char *p = text;
    while (*p)
        p++;
    return (int)(p - text);
}

void walk(int n, const float x[n], float out[n][3]) {
    static const float coefficients[4] = {1.0f, -2.0f, 0.5f, 0.25f};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i][0] = polynomial(coefficients, i % 4, x[i] * 0.5f);
        char text[6] = "hello";
        text[i % 6] = 0;
        out[i][1] = (float)length(text);
        const float *a = x, *b = x + n - 1;
        float sum = 0.0f;
        for (; a < b; a++, b--)
            sum += *a * 2.0f - *b;
        out[i][2] = sum;
    }
}
