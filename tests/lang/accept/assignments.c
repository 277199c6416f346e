// Every compound assignment, ++ and -- in front and behind, assignment as a value, each target evaluated once.
// test: -i n=48
// check: exact
void assign(int n, int out[n][12], float real[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int a = i + 5;
        a += 3;
        a -= i / 2;
        a *= 7;
        out[i][0] = a;
        a /= 3;
        a %= 10;
        out[i][1] = a;
        a <<= 4;
        a >>= 1;
        a |= 1;
        a &= 0x3b;
        a ^= i;
        out[i][2] = a;
        int b = a++ + 10;
        out[i][3] = b * 100 + a;
        b = --a;
        out[i][4] = b + a--;
        out[i][5] = ++a;
        int c, d;
        c = d = i * 2;
        out[i][6] = c + d;
        int list[4] = {0, 0, 0, 0}, at = 0;
        list[at++] += 5;
        list[at++] = i > 5;
        list[at++] -= i;
        list[at]++;
        out[i][7] = list[0] * 1000 + list[2] * 10 + list[3] + at;
        unsigned u = (unsigned)i;
        u -= 50u;
        u >>= 28;
        out[i][8] = (int)u;
        int e = 7;
        e *= 1.5f; // in float, then cut
        out[i][9] = e;
        unsigned char f = 250;
        f += i;
        out[i][10] = f;
        float x = 1.0f;
        x += i;
        x *= 0.5f;
        x -= 0.25f;
        x /= 2.0f;
        x++;
        real[i] = x--;
        out[i][11] = x > 0.0f;
    }
}
