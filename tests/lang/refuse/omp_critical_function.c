// What a section changes is used by a function that the section calls.
// test: -i n=16
// error: 10:13: this 'critical' changes 'count' and uses it by another name, or in a function
static int count;
static int half(int v) { return v + count / 2; }
void f(int n, const int x[n], int out[2]) {
    int sum = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            count += x[i];
            sum += half(x[i]);
        }
    }
    out[0] = count;
    out[1] = sum;
}
