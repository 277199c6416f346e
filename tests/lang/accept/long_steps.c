// 64-bit sums that may need more than 32 bits, each by one property that the sums of long_counters.c lack: they take two words.
// test: -i n=16 -i k=uniform:lo=1,hi=4000000,seed=1 -i u=uniform:lo=0,hi=4294967296,seed=2 -i s=arange
// check: exact
void f(int n, const int k[n], const unsigned u[n], const short s[n], long y[n][7], long total[3]) {
    long all = 0, reset = 0, twice = 0;
    for (int t = 0; t < 2; t++) {
#pragma omp parallel for reduction(+ : all, reset, twice)
        for (int i = 0; i < n; i++) {
            long edge = 0, carried = 0, product = 1, word = 0, passes = 0;
            unsigned long below = 5;
            for (int j = 0; j < 65536; j++)
                edge += 32768; // 2^31
            for (int j = 0; j < 2; j++)
                word = u[i];
            for (int a = 0; a < 256; a++)
                for (int j = 0; j < 256; j++)
                    carried += 65536; // 2^32
            for (int j = 0; j < 40; j++)
                product += product;
            for (int j = 0; j < 6; j++)
                below -= 1; // 5 - 6
            int z = k[i];
            while (z != 1 && passes < 1000) {
                passes++; // as often as the data say
                z = z % 2 ? (z & 0xFFFFFF) * 3 + 1 : z / 2;
            }
            all += k[i] * 1000L;
            reset = reset + (s[i] == 7 ? 3000000000 : 1); // in one of the iterations
            for (int j = 0; j < 64; j++)
                twice += 67108864; // 16 * 2^32, and t makes it 2^33
            y[i][0] = edge;
            y[i][1] = carried;
            y[i][2] = product;
            y[i][3] = (long)below;
            y[i][4] = passes;
            y[i][5] = word;
            y[i][6] = word - edge;
        }
    }
    total[0] = all;
    total[1] = reset;
    total[2] = twice;
}
