// activities.c - activities in the order of their ends: each that begins behind the end of the last one that was taken is taken, in
// sequential code between parallel loops.
//
// run: -i n=100000 -i step=uniform:lo=1,hi=3,seed=1 -i length=uniform:lo=1,hi=4000,seed=2
// test: -i n=3000 -i step=uniform:lo=1,hi=3,seed=1 -i length=uniform:lo=1,hi=300,seed=2
// check: exact
// dispatches: 1
void activities(int n, const int step[n], const int length[n], int taken[n], int out[3]) {
    int end[n];
    end[0] = step[0];
    for (int i = 1; i < n; i++)
        end[i] = end[i - 1] + step[i];
    int last = -1, count = 0, longest = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        taken[i] = 0;
    for (int i = 0; i < n; i++) {
        int begin = end[i] - length[i];
        if (begin < last) continue;
        taken[i] = 1;
        if (begin - last > longest) longest = begin - last;
        last = end[i];
        count++;
        if (count == 1000000) break;
    }
    out[0] = count;
    out[1] = last;
    out[2] = longest;
}
