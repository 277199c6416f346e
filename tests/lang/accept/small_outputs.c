// Arrays of 8 and 16 bits, bool and _Float16 that the program writes: cut or rounded as a C variable of the type is.
// test: -i n=48 -i a=arange -i b=arange -i c=arange -i d=arange -i e=arange -i flags=const:1 -i text=const:65
// check: exact
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

void write_small(int n, int8_t a[n], uint8_t b[n], short c[n], uint16_t d[n], _Float16 e[n], bool flags[n],
                 char text[n], unsigned char cleared[4][n]) {
    memset(cleared, 0x83, sizeof(unsigned char[4][n]));
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            a[i] = (int8_t)(a[i] * 37 + t);
            b[i] -= 100;
            c[i] = (short)(c[i] * 3001 - b[i]);
            d[i]++;
            d[i] = (uint16_t)(d[i] << 3);
            e[i] = (_Float16)((float)e[i] * 1.37f + 0.01f);
            flags[i] = a[i] & 4;
            text[i] = (char)(text[i] + i % 26);
            cleared[t][i] ^= (unsigned char)(i + t);
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (flags[i]) {
                a[i] >>= 1;
                flags[i] |= b[i] > 3;
            }
    }
    text[0] = 'w';
    e[0] = (_Float16)70000.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        e[i] = -e[i];
        b[i] = flags[i] ? b[i] : (uint8_t)(a[n - 1 - i] + 1);
    }
}
