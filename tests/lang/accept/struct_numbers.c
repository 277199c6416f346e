// Arrays of structs whose fields are all of one type, seen as these numbers, beside the fields themselves.
// test: -i n=12 -i u=normal:seed=1 -i p=uniform:lo=-9,hi=9,seed=2 -i c=uniform:lo=0,hi=200,seed=3
struct wave {
    float re, im;
};
struct box {
    int low[2], high[2];
};
struct colour {
    unsigned char r, g, b;
};
static void turn(float *x, int n) {
    for (int i = 0; i < n; i++) {
        float re = x[2 * i];
        x[2 * i] = -x[2 * i + 1];
        x[2 * i + 1] = re;
    }
}
void f(int n, struct wave u[n][8], struct box p[n], const struct colour c[n], int out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        turn((float *)u[i], 8);
        u[i][2].im += 1;
        int *low = (int *)&p[i], *high = low + 2;
        high[0] += low[1];
        p[i].low[1] = 3;
        out[i] = i % 2 ? *low : low[3];
        const int *field = &p[i].high[1]; // beside its number
        out[i] += 16 * (low + 3 == field) + 32 * (low == field) + 64 * (low < field) + 128 * (int)(field - low);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) { // from a field on
        turn(&u[i][6].re, 2);
        float *last = &u[i][7].im, sum = 0;
        for (const float *at = &u[i][1].im; at < &u[i][4].re; at++)
            sum = sum * 0.5f + *at;
        last[-1] += sum;
        *last = *(last - 2) + (&u[i][0].re)[1];
        const unsigned char *colour = &c[i].g;
        for (int k = -1; k < 2; k++)
            out[i] += colour[k] << (k + 1);
    }
#pragma omp parallel for
    for (int i = 0; i < 3 * n; i += 3) {
        const unsigned char *bytes = (const unsigned char *)c;
        out[i / 3] += bytes[i] + 2 * bytes[i + 1] - bytes[i + 2];
    }
}
