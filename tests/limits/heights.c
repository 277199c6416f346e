// Rows of conditions on an element of a local array that the loop around chooses: it stays in memory, so `&&` is a branch.
// run: -i n=64 -i rows=16 -i x=uniform:lo=0,hi=1048576,seed=1
// check: exact
void heights(int n, int rows, const int x[n], int y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int height[10], holes = 0;
        for (int c = 0; c < 10; c++) {
            height[c] = 0;
            for (int r = 0; r < rows; r++) {
                int set = x[i] >> r & 1;
                if (set && !height[c]) height[c] = r + c;
                if (!set && height[c]) holes++;
            }
        }
        y[i] = holes + height[x[i] % 10];
    }
}
