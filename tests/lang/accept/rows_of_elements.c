// Elements in a row seen as rows by a cast, whose sizes are known: a parameter's, a local array's, of structs, with a size that comes along, of
// three dimensions; they are walked along, copied, compared and handed on.
// test: -i n=6 -i w=4 -i in=normal:seed=1 -i all=normal:seed=3 -i z=normal:seed=2
#include <string.h>

struct pair {
    float re, im;
};

static float sum_of(int w, void *from, int i) {
    float(*rows)[w] = (float(*)[w])from;
    float sum = 0;
    for (int k = 0; k < w; k++)
        sum += rows[i][k] * (float)(k + 1);
    return sum;
}

static void turn(int w, void *from, int n) {
    struct pair(*x)[w] = from;
    for (int i = 0; i < n; i++, x++)
        for (int k = 0; k < w; k++) {
            struct pair old = (*x)[k];
            (*x)[k].re = old.re - old.im;
            x[0][k].im = old.re + old.im;
        }
}

static float last(const float *row, int w) { return row[w - 1]; }

void rows_of_elements(int n, int w, const float in[24], float out[n], float all[24], struct pair z[24]) {
    const float(*cube)[2][3] = (const float(*)[2][3])in;
    turn(w, z, n);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float own[8], other[8];
        for (int k = 0; k < 8; k++)
            own[k] = in[k + i] + (float)i;
        float(*two)[4] = (float(*)[4])own, (*end)[4] = two + 2;
        memcpy(other, two[1], sizeof two[1]);
        memcpy(other + 4, two, 4 * sizeof(float));
        int count = 0;
        for (float(*p)[4] = two; p != end; p++)
            count += (*p)[2] > 0;
        out[i] = sum_of(w, own, 1) + last(two[1], 4) + other[2] + other[5] + (float)count + cube[i % 4][i % 2][2];
        two[1][3] = 7;
        out[i] += own[7];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float(*rows)[w] = (float(*)[w])all;
        for (int k = 0; k < w; k++)
            rows[i][k] += (float)(i * w + k);
    }
}
