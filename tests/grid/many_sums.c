// More sums in one loop than there is memory for where lanes of a subgroup are few: they are combined in turns.
// run: -i n=64 -i m=1024 -i steps=20 -i a=arange
// test: -i n=32 -i m=256 -i steps=3 -i a=arange
// check: exact
// dispatches: 1
// barriers: 2 a step
void many_sums(int n, int m, int steps, int a[n][m], int s[n][28]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0, s8 = 0, s9 = 0, s10 = 0, s11 = 0,
                s12 = 0, s13 = 0, s14 = 0, s15 = 0, s16 = 0, s17 = 0, s18 = 0, s19 = 0, s20 = 0, s21 = 0, s22 = 0,
                s23 = 0, s24 = 0, s25 = 0, s26 = 0, s27 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19, s20, s21, s22, s23, s24, s25, s26, s27)
            for (int j = 0; j < m; j++) {
                int x = a[i][j];
                s0 += x ^ 0;
                s1 += x ^ 37;
                s2 += x ^ 74;
                s3 += x ^ 111;
                s4 += x ^ 148;
                s5 += x ^ 185;
                s6 += x ^ 222;
                s7 += x ^ 259;
                s8 += x ^ 296;
                s9 += x ^ 333;
                s10 += x ^ 370;
                s11 += x ^ 407;
                s12 += x ^ 444;
                s13 += x ^ 481;
                s14 += x ^ 518;
                s15 += x ^ 555;
                s16 += x ^ 592;
                s17 += x ^ 629;
                s18 += x ^ 666;
                s19 += x ^ 703;
                s20 += x ^ 740;
                s21 += x ^ 777;
                s22 += x ^ 814;
                s23 += x ^ 851;
                s24 += x ^ 888;
                s25 += x ^ 925;
                s26 += x ^ 962;
                s27 += x ^ 999;
            }
            s[i][0] = s0;
            s[i][1] = s1;
            s[i][2] = s2;
            s[i][3] = s3;
            s[i][4] = s4;
            s[i][5] = s5;
            s[i][6] = s6;
            s[i][7] = s7;
            s[i][8] = s8;
            s[i][9] = s9;
            s[i][10] = s10;
            s[i][11] = s11;
            s[i][12] = s12;
            s[i][13] = s13;
            s[i][14] = s14;
            s[i][15] = s15;
            s[i][16] = s16;
            s[i][17] = s17;
            s[i][18] = s18;
            s[i][19] = s19;
            s[i][20] = s20;
            s[i][21] = s21;
            s[i][22] = s22;
            s[i][23] = s23;
            s[i][24] = s24;
            s[i][25] = s25;
            s[i][26] = s26;
            s[i][27] = s27;
        }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = (a[i][j] + s[(i + 1) % n][j % 28]) & 1023;
    }
}
