// Races whose values stay what they were, as all of them are zero.
// run: -i n=6 -i at=zeros
void f(int n, const int at[n], float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = x[at[i]];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (at[i] == 0) y[at[i]] = 0.0f;
}
