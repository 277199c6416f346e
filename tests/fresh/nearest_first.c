// Shortest paths by the nearest node first, from several nodes of a ring with chords: a search that ends the loop around
// where it finds nothing, and one lane that changes what the next search reads. Some nodes are out of reach.
// run: -i origins=64 -i n=600 -i length=uniform:lo=1,hi=2,seed=1
// test: -i origins=5 -i n=260 -i length=uniform:lo=1,hi=2,seed=1
#define FAR 1e30f

void nearest_first(int origins, int n, const float length[n][3], float dist[origins][n], int from[origins][n],
                   int order[origins][n], int reached[origins]) {
#pragma omp parallel for
    for (int o = 0; o < origins; o++) {
        int start = (o * 37 + 11) % n, count = 0, done[n];
        for (int v = 0; v < n; v++) {
            dist[o][v] = FAR;
            from[o][v] = order[o][v] = -1;
            done[v] = 0;
        }
        dist[o][start] = 0.0f;
        for (int it = 0; it < n; it++) {
            int u = -1;
            float least = FAR;
            for (int v = 0; v < n; v++)
                if (!done[v] && dist[o][v] < least) {
                    least = dist[o][v];
                    u = v;
                }
            if (u < 0) break;
            done[u] = 1;
            order[o][count++] = u;
            for (int k = 0; k < 3; k++) {
                int v = (u + 2 * (1 + 3 * k)) % n; // even from even, odd from odd
                if (least + length[u][k] < dist[o][v]) {
                    dist[o][v] = least + length[u][k];
                    from[o][v] = u;
                }
            }
        }
        reached[o] = count;
    }
}
