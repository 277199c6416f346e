// All operators of 64-bit integers, signed and unsigned, on the ends of their ranges and on random numbers.
// test: -i n=400 -i k=uniform:lo=-9223372036854775808,hi=9223372036854775807,seed=1
// check: exact
#include <stdint.h>

static const int64_t ends[8] = {0, 1, -1, INT64_MAX, INT64_MIN + 1, 4294967295, -4294967296, 2147483648};

void arithmetic(int n, const int64_t k[n], int64_t s[n][16], uint64_t u[n][16]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int64_t a = i < 64 ? ends[i / 8] : k[i] >> (i & 31), b = i < 64 ? ends[i % 8] : k[(i + 1) % n] >> (i * 7 & 63);
        uint64_t x = (uint64_t)a, y = (uint64_t)b;
        int by = i % 64;
        s[i][0] = (int64_t)(x + y);
        s[i][1] = (int64_t)(x - y);
        s[i][2] = (int64_t)(x * y);
        s[i][3] = b ? a / b : 0;
        s[i][4] = b ? a % b : 0;
        s[i][5] = a >> by;
        s[i][6] = a & b;
        s[i][7] = a | b;
        s[i][8] = a ^ b;
        s[i][9] = ~a;
        s[i][10] = a >> 33;
        s[i][11] = a / 1000003;
        s[i][12] = a % -77;
        s[i][13] = a < b ? a : b;
        s[i][14] = a >> 1;
        s[i][15] = (a & 0xFFFFFFFF) * (b & 0xFFFF);
        u[i][0] = y ? x / y : 0;
        u[i][1] = y ? x % y : 0;
        u[i][2] = x << by;
        u[i][3] = x >> by;
        u[i][4] = x << 32;
        u[i][5] = x << 5 | x >> 59;
        u[i][6] = x >> 47;
        u[i][7] = -x;
        u[i][8] = x % 10;
        u[i][9] = x / 4294967296u;
        u[i][10] = (uint64_t)(uint32_t)x * (uint32_t)y;
        u[i][11] = x * 6364136223846793005u + 1442695040888963407u;
        u[i][12] = (uint64_t)(x > y) + (uint64_t)(a > b);
        uint64_t z = x;
        z += y;
        z *= 3;
        z ^= z >> 11;
        z -= (uint64_t)i;
        z <<= 2;
        z |= 1;
        z /= 5;
        u[i][13] = z++;
        u[i][14] = --z % 1000;
        u[i][15] = z;
    }
}
