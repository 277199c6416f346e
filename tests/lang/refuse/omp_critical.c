// What a GPU cannot do under critical: the place of the largest, where the update needs what it changes.
// test: -i n=16
// error: 8:13: critical
void f(int n, const float x[n], float most[1], int at[1]) {
    most[0] = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        if (x[i] > most[0]) {
            most[0] = x[i];
            at[0] = i;
        }
    }
}
