// test: -i n=300 -i z=uniform:lo=0,hi=90,seed=1 -i p=uniform:lo=0,hi=299,seed=2 -i q=uniform:lo=0,hi=7,seed=3
// check: exact
// Places of a best that change with what the branch, or what stands in front of it, stores.
void place_behind(int n, const int z[n], const int p[n], const int q[n], int list[8], int other[8], int out[n], int both[n],
                  int pad[64]) {
    int at = 0, place = 0;
    for (int k = 1; k < n; k++) {
        int v = z[list[q[k]]]; // not what the branch would load there
        list[q[n - k]] = p[k];
        if (v != z[at]) at = list[q[k]];
        out[k] = at;
    }
    for (int k = 1; k < n; k++) {
        if (z[k] + (p[k] & 7) > z[place]) {
            other[q[k]] = p[k];
            place = other[q[n - k]];
        }
        both[k] = place;
    }
#pragma omp parallel for
    for (int i = 0; i < 64; i++)
        pad[i] = i;
}
