// The best of each of several places, and where it was found, in one section: iterations choose the place.
// test: -i n=16 -i m=4
// error: 7:13: the best of each of several places of 'least', and iterations choose the place
void f(int n, int m, const float x[n], const int cell[n], float least[m], int at[m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            int k = cell[i];
            if (x[i] < least[k]) {
                least[k] = x[i];
                at[k] = i;
            }
        }
    }
}
