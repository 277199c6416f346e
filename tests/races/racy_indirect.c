// Two iterations are sent to one element.
// test: -i n=8 -i at=0,1,2,3,4,5,2,7
void f(int n, const int at[n], float a[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[at[i]] += 1.0f;
}
