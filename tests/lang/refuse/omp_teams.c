// teams comes in a later version.
// test: -i n=16
// error: 5:13: teams
void f(int n, float x[n]) {
#pragma omp teams distribute
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
