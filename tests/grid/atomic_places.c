// The heart of a counting sort: how many there are of each kind, then a place for each, counted down, from 1 to that number.
// test: -i n=700 -i steps=3 -i x=uniform:lo=0,hi=10000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
void atomic_places(int n, int steps, const int x[n], int count[16], int places[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            count[x[i] % 16] += 1;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int place;
#pragma omp atomic capture
            place = count[x[i] % 16]--;
#pragma omp atomic
            places[place - 1] += 1;
        }
    }
}
