// Every function calls the one before it twice: two to the seventeenth copies of the first.
// test: -i n=16
// error: 5:47: the program becomes too large when its calls are expanded: 'level0' was expanded 9996 times
static int level0(int k) { return k * 3 + 1; }
static int level1(int k) { return level0(k) ^ level0(k + 1); }
static int level2(int k) { return level1(k) ^ level1(k + 2); }
static int level3(int k) { return level2(k) ^ level2(k + 3); }
static int level4(int k) { return level3(k) ^ level3(k + 4); }
static int level5(int k) { return level4(k) ^ level4(k + 5); }
static int level6(int k) { return level5(k) ^ level5(k + 6); }
static int level7(int k) { return level6(k) ^ level6(k + 7); }
static int level8(int k) { return level7(k) ^ level7(k + 8); }
static int level9(int k) { return level8(k) ^ level8(k + 9); }
static int level10(int k) { return level9(k) ^ level9(k + 10); }
static int level11(int k) { return level10(k) ^ level10(k + 11); }
static int level12(int k) { return level11(k) ^ level11(k + 12); }
static int level13(int k) { return level12(k) ^ level12(k + 13); }
static int level14(int k) { return level13(k) ^ level13(k + 14); }
static int level15(int k) { return level14(k) ^ level14(k + 15); }
static int level16(int k) { return level15(k) ^ level15(k + 16); }
static int level17(int k) { return level16(k) ^ level16(k + 17); }
void f(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = level17(i);
}
