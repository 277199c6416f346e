// A transform of each row in an array of its own: stages whose loops change their lengths, while all of their passes
// together do not. Lanes share each stage; each pass of a loop has a strip of the array to itself.
//
// run: -i rows=256 -i x=normal:seed=4
// test: -i rows=9 -i x=normal:seed=4
// check: near 1e-4
// dispatches: 1
#include <math.h>
enum { N = 128 };
void stages_in_rows(int rows, const float x[rows][N], float spectrum[rows][N]) {
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        float re[N], im[N];
        for (int i = 0; i < N; i++) {
            re[i] = x[r][i];
            im[i] = 0;
        }
        for (int len = N; len >= 2; len /= 2)
            for (int i = 0; i < N; i += len)
                for (int j = 0; j < len / 2; j++) {
                    float angle = -6.2831853f * (float)j / (float)len, c = cosf(angle), s = sinf(angle);
                    float ar = re[i + j], ai = im[i + j], br = re[i + j + len / 2], bi = im[i + j + len / 2];
                    re[i + j] = ar + br;
                    im[i + j] = ai + bi;
                    re[i + j + len / 2] = (ar - br) * c - (ai - bi) * s;
                    im[i + j + len / 2] = (ar - br) * s + (ai - bi) * c;
                }
        for (int i = 0; i < N; i++)
            spectrum[r][i] = sqrtf(re[i] * re[i] + im[i] * im[i]);
    }
}
