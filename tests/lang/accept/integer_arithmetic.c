// Arithmetic of int, + - * / %, quotients and remainders of negative numbers, unary + and -, shifts, precedence.
// test: -i n=61
// check: exact
void arithmetic(int n, int out[n][10]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int a = i * 37 - 1000, b = i % 9 - 4;
        if (b == 0)
            b = 11;
        out[i][0] = a + b * 3 - a / 7;
        out[i][1] = a / b;
        out[i][2] = a % b;
        out[i][3] = -a / 4 + +b;
        out[i][4] = a >> 3;
        out[i][5] = a / 8 == a >> 3;
        out[i][6] = (i + 1) << (i % 16);
        out[i][7] = a - b - 1 - (b - a);
        out[i][8] = (-7) / 2 * 1000 + (-7) % 2 * 10 + 7 % -2;
        out[i][9] = a * b % 5 + a / 3 * 3;
    }
}
