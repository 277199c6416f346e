// The statement for, counting up, down and by steps: two counters, missing parts, break, continue, a body that changes its own counter,
// the counter read after the loop, an index that each pass computes anew, and tests that add to the counter.
// test: -i n=64
// check: exact
void loops(int n, int out[n][9], int seen[n][5]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = 0; k <= i; k++)
            sum += k;
        out[i][0] = sum;
        sum = 0;
        for (int k = i; k > 0; k -= 3)
            sum = sum * 3 + k;
        out[i][1] = sum;
        sum = 0;
        for (int a = 0, b = i; a < b; a++, b -= 2)
            sum += a * b;
        out[i][2] = sum;
        int k = 0;
        for (;;) {
            if (k * k > i)
                break;
            k++;
        }
        out[i][3] = k;
        sum = 0;
        for (int j = 0; j < 20; j++) {
            if (j % 3 == i % 3)
                continue;
            if (j > i)
                break;
            sum += j;
        }
        out[i][4] = sum;
        sum = 0;
        for (int j = 0; j < 30; j++) {
            if (j == i % 10)
                j += 5;
            sum += j;
        }
        out[i][5] = sum;
        int j;
        for (j = 0; j < 50; j += 7)
            if (j > i)
                break;
        out[i][6] = j;
        sum = 0;
        for (unsigned u = 4u; u-- > 0u;)
            for (int v = 0; v < i % 4; v++)
                sum = sum * 2 + (int)u + v;
        out[i][7] = sum;
        sum = 0;
        for (int k = 0; k + 1 < i; k++) // the test adds to the counter
            sum += k;
        for (int k = i; k - 3 >= 0; k -= 2)
            sum = sum * 2 + k;
        for (int k = -5; i % 5 > k + 2; k += 3)
            sum -= k;
        for (int k = i; k + 2147483580 > 2147483590; k--)
            sum += k;
        out[i][8] = sum;
        int place = 0;
        for (int k = 0; k < 3; k++) {
            place = (k * i + 1) % 5;
            seen[i][place] += k + 1;
        }
        out[i][6] += place * 100;
    }
}
