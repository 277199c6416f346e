// 64-bit sums that may need more than 32 bits, each by one property that the sums of accept/long_counters.c lack.
// test: -i n=16
// error: 22:17: a 64-bit variable's value may not fit in 32 bits
// error: 20:22: the result of 64-bit arithmetic may not fit in 32 bits
// error: 25:28: the result of 64-bit arithmetic may not fit in 32 bits
// error: 27:25: the result of 64-bit arithmetic may not fit in 32 bits
// error: 29:23: the result of 64-bit arithmetic may not fit in 32 bits
// error: 32:23: the result of 64-bit arithmetic may not fit in 32 bits
// error: 35:19: the result of 64-bit arithmetic may not fit in 32 bits
// error: 36:19: the result of 64-bit arithmetic may not fit in 32 bits
// error: 39:22: the result of 64-bit arithmetic may not fit in 32 bits
void f(int n, const int k[n], const unsigned u[n], const short s[n], int y[n]) {
    long total = 0, reset = 0, twice = 0;
    for (int t = 0; t < 2; t++) {
#pragma omp parallel for reduction(+ : total, reset, twice)
        for (int i = 0; i < n; i++) {
            long edge = 0, carried = 0, product = 1, word = 0, passes = 0;
            unsigned long below = 5;
            for (int j = 0; j < 65536; j++)
                edge += 32768; // 2^31
            for (int j = 0; j < 2; j++)
                word = u[i];
            for (int a = 0; a < 65536; a++)
                for (int j = 0; j < 65536; j++)
                    carried++; // 2^32 passes
            for (int j = 0; j < 31; j++)
                product += product;
            for (int j = 0; j < 6; j++)
                below -= 1; // 5 - 6
            int z = k[i];
            while (z != 1) {
                passes++; // as often as the data say
                z = z % 2 ? 3 * z + 1 : z / 2;
            }
            total += k[i];
            reset += 1;
            if (s[i] == 7) reset = 3;          // in some of the iterations, and they are added up
            for (int j = 0; j < 67108864; j++) // 16 * 2^26 = 2^30, but t makes it 2^31
                twice++;
            y[i] = (int)edge + (int)carried + (int)product + (int)below + (int)passes + (int)word;
        }
    }
    y[0] = (int)total + (int)reset + (int)twice;
}
