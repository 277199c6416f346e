// What a critical section keeps is used by the loop itself, too.
// test: -i n=16
// error: 9:13: where nothing else of the loop uses these
void f(int n, const float x[n], float most[1], int at[1], float y[n]) {
    float high = 0.0f;
    int place = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        if (x[i] > high) {
            high = x[i];
            place = i;
        }
        y[i] = high;
    }
    most[0] = high;
    at[0] = place;
}
