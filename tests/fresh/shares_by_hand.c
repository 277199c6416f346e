// shares_by_hand.c - a region whose threads deal out the elements by hand, each a stretch of them, the last one a
// shorter one: runs of equal ones are counted, a thread adds up the counts, and each writes where its runs begin and how
// long they are. Shares with a while, with steps of two, and one whose end the thread changes, which stays as it is.
//
// test: -i n=7000 -i v=uniform:lo=0,hi=4,seed=3
// check: exact
#include <omp.h>

void shares_by_hand(int n, const int v[n], int begins[n], int length[n], int odd[n], int cut[n], int many[1]) {
    int first[7], sums[6];
#pragma omp parallel num_threads(6)
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        int share = (n + threads - 1) / threads;
        int from = me * share, to = from + share < n ? from + share : n;
        int runs = 0, sum = 0;
        for (int i = from; i < to; i++) {
            if (i == 0 || v[i] != v[i - 1]) runs++;
            sum += v[i];
        }
        first[me + 1] = runs;
        sums[me] = sum;
#pragma omp barrier
#pragma omp single
        {
            first[0] = 0;
            for (int k = 0; k < threads; k++)
                first[k + 1] += first[k];
        }
        int at = first[me];
        for (int i = from; i < to; i++) {
            if (i > 0 && v[i] == v[i - 1]) continue;
            int j = i;
            while (j < n && v[j] == v[i])
                j++;
            begins[at] = i;
            length[at] = j - i;
            at++;
        }
        int k = from, before = 0;
        while (k < to) {
            before = before * 3 + v[k];
            odd[k] = before + sums[me];
            k++;
        }
        for (int i = from; i < to; i += 2)
            odd[i] += at;
        int last = to;
        for (int i = from; i < last; i++) {
            cut[i] = i + k;
            if (v[i] == 3 && last > i + 9) last--;
        }
        if (me == 0) many[0] = first[threads];
    }
}
