// Who is the best, who the last of them, and how many there are: one comparison for each of the values, which every workgroup makes itself
// instead of waiting for others to make it. What is left is the barrier behind the new values, which their maximum needs anyway.
// test: -i n=700 -i steps=6 -i x=uniform:lo=0,hi=500,seed=1
// check: exact
// dispatches: 1
// barriers: 1 a step
void recompute(int n, int steps, int x[n], int y[n], int leaders[steps], int lasts[steps], int counts[steps]) {
    int *now = x, *next = y, top = -1;
#pragma omp parallel for reduction(max : top)
    for (int i = 0; i < n; i++)
        top = now[i] > top ? now[i] : top;
    for (int t = 0; t < steps; t++) {
        int leader = n, last = -1, count = 0;
#pragma omp parallel for reduction(min : leader) reduction(max : last) reduction(+ : count)
        for (int i = 0; i < n; i++)
            if (now[i] == top) {
                leader = i < leader ? i : leader;
                last = i > last ? i : last;
                count++;
            }
        leaders[t] = leader;
        lasts[t] = last;
        counts[t] = count;
        top = -1;
#pragma omp parallel for reduction(max : top)
        for (int i = 0; i < n; i++) {
            next[i] = (now[(i * 7 + leader) % n] * 3 + now[last] + i % 3) % 211;
            top = next[i] > top ? next[i] : top;
        }
        int *old = now;
        now = next;
        next = old;
    }
}
