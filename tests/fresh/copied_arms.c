// copied_arms.c - Distances along chains by pointer jumping, beside a step of a plane; what is copied back both arms of branches store.
//
// run: -i n=262144 -i from=uniform:lo=0,hi=262144,seed=1 -i start=uniform:lo=0,hi=1000,seed=2
// test: -i n=300 -i from=uniform:lo=0,hi=300,seed=1 -i start=uniform:lo=0,hi=1000,seed=2
// check: exact
// dispatches: 1
// barriers: 1
void copied_arms(int n, const int from[n], const int start[n], int next[n], int hops[n], int heat[n]) {
    int next2[n], hops2[n], heat2[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        next[i] = from[i] < i ? from[i] : -1;
        hops[i] = 1;
        heat[i] = start[i];
    }
    for (int round = 0; round < 9; round++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int to = next[i];
            if (to >= 0) {
                hops2[i] = hops[i] + hops[to];
                next2[i] = next[to];
            } else {
                next2[i] = -1;
                hops2[i] = hops[i];
            }
            if (i % 7 == 0) {
                heat2[i] = heat[i];
            } else if (i < n / 2) {
                int sum = 0;
                for (int k = 1; k < 4; k++)
                    sum += heat[i + k] * k;
                heat2[i] = sum % 1000;
            } else {
                heat2[i] = (heat[i] + heat[i - 1]) / 2;
            }
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            next[i] = next2[i];
            hops[i] = hops2[i];
            heat[i] = heat2[i];
        }
    }
}
