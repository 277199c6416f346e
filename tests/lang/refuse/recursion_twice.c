// Two calls of itself in one function: refused as soon as one, and not after both were followed for ever.
// test: -i n=16
// error: 9:5: recursion: sort -> sort; use a loop
static void sort(float *row, int from, int to) {
    if (from >= to) return;
    int middle = (from + to) / 2;
    for (int k = from; k < middle; k++)
        if (row[k] > row[to]) row[k] = row[to];
    sort(row, from, middle);
    sort(row, middle + 1, to);
}
void f(int n, float x[n][8]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        sort(x[i], 0, 7);
}
