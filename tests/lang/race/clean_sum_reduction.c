// A reduction is no race.
// test: -i n=64 -i x=arange
// check: exact
void f(int n, const float x[n], float total[1]) {
    float sum = 0.0f;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i];
    total[0] = sum;
}
