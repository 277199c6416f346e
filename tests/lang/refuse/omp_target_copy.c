// A scalar that no clause names is a copy on the device: counting in it is lost.
// test: -i n=16
// error: 13:14: 'count' is a copy, whose value nobody gets, under 'target teams distribute parallel for'
// error: 17:10: 'seen' may stand on the device under 'target'
#pragma omp declare target
static int seen;
#pragma omp end declare target
void f(int n, int x[n], int out[1]) {
    int count = 0;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        count++;
        x[i] = i;
    }
#pragma omp target
    seen = 1;
    out[0] = seen + count;
}
