// The loop of a directive must count: its test compares the counter with a bound.
// test: -i n=16
// error: 6:26: the condition of an OpenMP loop must compare 'i' with a bound by '<', '<=', '>', '>=' or '!='
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; x[i] < 1.0f; i++)
        x[i] = (float)n;
}
