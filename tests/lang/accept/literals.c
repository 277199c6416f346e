// Constants: decimal, octal, hexadecimal, with suffixes, characters with escapes, floats with exponents and in hexadecimal.
// test: -i n=4
// check: exact
void literals(int n, int out[n][12], float real[n][7]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i][0] = 0x7fffFFFF - 0777;
        out[i][1] = (int)4294967295u;
        out[i][2] = 100l + 20ll + 3;
        out[i][3] = 'A' + '\n' + '\x41' + '\101' + '\\' + '\'' + '\0';
        out[i][4] = -2147483647 - 1;
        out[i][5] = (int)0xffffffff;
        out[i][6] = 0;
        out[i][7] = sizeof "four" + sizeof(int);
        out[i][8] = 07 + 0xAL;
        out[i][9] = '\t' < ' ';
        out[i][10] = "hex"[i % 3];
        out[i][11] = (int)sizeof(short) * 1000 + (int)sizeof(float[3]);
        real[i][0] = 1.f;
        real[i][1] = .5e1f;
        real[i][2] = 0x1.8p3f;
        real[i][3] = 1e-3f;
        real[i][4] = 0.1;
        real[i][5] = 16777217.0f;
        real[i][6] = 3;
    }
}
