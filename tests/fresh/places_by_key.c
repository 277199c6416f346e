// places_by_key.c - what sequential code between parallel loops sorts by keys: a counting sort from either end, cells
// with a beginning and a fill each, the neighbours of a graph's nodes from its edges, the columns of sparse rows, what
// is kept of a list; and places that reach into each other, which only C's order gets right.
//
// run: -i n=200000 -i key=uniform:lo=0,hi=199,seed=1 -i val=uniform:lo=0,hi=9,seed=2
// test: -i n=5000 -i key=uniform:lo=0,hi=199,seed=1 -i val=uniform:lo=0,hi=9,seed=2
// check: exact
#define K 200

void places_by_key(int n, const int key[n], const int val[n], int order[n], int last[n], int cell[n], int node[2 * n],
                   int row[3 * n], int weight[3 * n], int kept[n], int both[n + K], int where[n], int out[5][K]) {
    int place[K], start[K + 1];
    int fill[K];
    for (int k = 0; k < K; k++)
        place[k] = start[k] = 0, fill[k] = 0;
    start[K] = 0;
    for (int i = 0; i < n; i++)
        start[key[i] + 1]++;
    for (int k = 0; k < K; k++)
        start[k + 1] += start[k];
    for (int k = 0; k < K; k++)
        place[k] = start[k];
    for (int i = 0; i < n; i++)
        order[place[key[i]]++] = i;
    for (int i = n - 1; i >= 0; i--)
        last[--place[key[i]]] = val[i];
    for (int i = 0; i < n; i++) {
        int at = start[key[i]] + fill[key[i]]++;
        cell[at] = i + val[i];
        where[i] = at;
    }
    for (int k = 0; k < K; k++)
        out[0][k] = place[k], out[1][k] = fill[k], place[k] = 0;
    for (int i = 0; i < n; i++) {
        place[key[i]]++;
        place[val[i] * 7]++;
    }
    for (int k = 0, sum = 0; k < K; k++) {
        int own = place[k];
        place[k] = sum;
        sum += own;
    }
    for (int i = 0; i < n; i++) {
        node[place[key[i]]++] = val[i] * 7;
        node[place[val[i] * 7]++] = -key[i];
    }
    for (int k = 0; k < K; k++)
        out[2][k] = place[k], place[k] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < val[i] % 4; j++)
            place[key[(i + j * 5) % n]]++;
    for (int k = 0, sum = 0; k < K; k++) {
        int own = place[k];
        place[k] = sum;
        sum += own;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < val[i] % 4; j++) {
            int p = place[key[(i + j * 5) % n]]++;
            row[p] = i;
            weight[p] = j - val[i];
        }
    for (int k = 0; k < K; k++)
        out[3][k] = place[k], place[k] = start[k];
    for (int i = 0; i < n; i++)
        if (val[i] > 4) kept[place[key[i]]++] = i;
    for (int k = 0; k < K; k++)
        out[4][k] = place[k], place[k] = k;
    for (int i = 0; i < n; i++)
        both[place[key[i]]++] = i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        where[i] += order[i] + last[i];
}
