// collapse wants loops directly in each other.
// test: -i n=16
// error: 6:33: collapse(2) needs 2 loops with nothing between them: expected a for loop here
void f(int n, float x[n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++) {
        x[i] = 0.0f;
        for (int j = 0; j < 4; j++)
            x[i] += 1.0f;
    }
}
