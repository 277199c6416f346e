// The atomic operations of GNU C: what they give, places with side effects, one in the arguments of another, elements of local
// arrays. What comes out does not depend on who is first.
// test: -i n=300
// check: exact

static void keep_most(int *at, int v) {
    int old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (old < v && !__atomic_compare_exchange_n(at, &old, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

void builtins(int n, int seen[n], int counts[16], unsigned bits[64]) {
    int next = 0, flag = 0, most = -1, left = n, after = 0;
    unsigned mixed = 0, both = ~0u;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        seen[__sync_fetch_and_add(&next, 1)] = 1;
        if (__sync_sub_and_fetch(&left, 1) == 0) counts[0] += 100; // one of them
        __sync_fetch_and_or(&bits[i % 64], 1u << i % 31);
        __sync_xor_and_fetch(&mixed, (unsigned)i * 77u);
        __atomic_fetch_and(&both, ~(1u << i % 20), __ATOMIC_SEQ_CST);
        keep_most(&most, i * 37 % 1001);
        if (__sync_bool_compare_and_swap(&flag, 0, 7)) __atomic_add_fetch(&counts[1], 1, __ATOMIC_RELAXED);
        if (__sync_val_compare_and_swap(&flag, 9, 1) == 9) __sync_fetch_and_sub(&counts[2], 1);

        int own[4] = {1, 2, 3, 4}, k = 0;
        int old = __sync_fetch_and_add(&own[k++], __sync_fetch_and_add(own + 3, 5)); // 1, by 4
        int was = __atomic_exchange_n(&own[k], 20, __ATOMIC_RELAXED);                // 2
        __atomic_add_fetch(&after, old + was + k + own[0] + own[1] + own[3], __ATOMIC_RELAXED);
        __atomic_store_n(&counts[3], 5, __ATOMIC_RELEASE);
    }
    counts[4] = next;
    counts[5] = flag;
    counts[6] = most;
    counts[7] = left;
    counts[8] = after;
    counts[9] = (int)mixed;
    counts[10] = (int)both;
}
