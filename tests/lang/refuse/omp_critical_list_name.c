// A list that a section appends to, by another name.
// test: -i n=16
// error: 9:13: this 'critical' changes 'list' and uses it by another name
void f(int n, const int x[n], int list[n], int out[n]) {
    int count = 0, *seen = list;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (x[i] > 3) {
#pragma omp critical
            {
                out[count] = seen[0];
                list[count++] = x[i];
            }
        }
    }
}
