// Random program 5003, shrunk: interpreter, passes of single, without choose.
// 
// run: -i n=513 -i m=8 -i steps=6 -i shift=-11 -i key=680671847 -i gain=-1.5

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define UNIT 16.0f
enum { LEAST = -1024, MOST = 1023 };

static const int8_t table0[8] = {-27, -111, 119, -39, 70, -112, 64, -47};

void entry_5003(int n, int m, int steps, int shift, unsigned key, float gain, const uint8_t a9[n * m][8], const float a10[n], float b11[n][8], int b12[n], uint32_t line13[n], float line14[n]) {
    int tmp15[n];
#pragma omp parallel for
    for (int i16 = 0; i16 < n; i16++) {
        tmp15[i16] = 1;
    }
    int tally18[16];
#pragma omp parallel for
    for (int i19 = 0; i19 < 16; i19++) {
        tally18[i19] = 0;
    }
    int acc21 = table0[steps] % 30;
    int w27 = 0, go28 = 1;
    do {
        w27++;
        float top29 = a10[0];
        int leader30 = n;
        int count32 = 0;
#pragma omp parallel for reduction(max : top29)
        for (int i31 = 0; i31 < n; i31++) {
            top29 = a10[i31] > top29 ? a10[i31] : top29;
        }
#pragma omp parallel for reduction(min : leader30) reduction(+ : count32)
        for (int i31 = 0; i31 < n; i31++) {
            if (a10[i31] == top29 && (((acc21 < n) ? gain : 0.4375) < 7.0625f - gain)) {
                leader30 = i31 < leader30 ? i31 : leader30;
                count32++;
            }
        }
        leader30 = (leader30 + count32) % n;
        if (((gain >= gain) ? steps : acc21) > 1023 * 768) {
            const int k34 = 2;
#pragma omp parallel for
            for (int i33 = 0; i33 < k34; i33++) {
            }
        }
    } while (w27 < 2 && go28);
#pragma omp parallel for
    for (int i49 = 0; i49 < n; i49++) {
    }
}
