// The same case twice.
// test: -i n=16
// error: 11:9: duplicate case value '3'
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        switch (i) {
        case 3:
            x[i] = 1.0f;
            break;
        case 3:
            break;
        }
    }
}
