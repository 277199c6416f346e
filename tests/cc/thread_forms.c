// What threads do by their numbers in ways that no worksharing loop has: loops shared out by hand, elements that are
// more than added to, places found in other ways, numbers asked for in functions. The device runs them as threads.
// build: -fdouble=float
#include <omp.h>
#include <stdio.h>

#define MOST 64
static int n = 1000, x[1000], part[MOST], order[MOST * 8];

static int of_thread(void) { return omp_get_thread_num(); }
static void add(int *to, int value) { *to += value; }

static int sum(void) {
    int all = 0;
    for (int t = 0; t < MOST; t++)
        all += part[t], part[t] = 0;
    return all;
}

static void loops(void) {
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num(), count = omp_get_num_threads();
        int first = id * n / count, end = (id + 1) * n / count;
        for (int i = first; i < end; i++)
            part[id] += x[i];
    }
    printf("%d\n", sum());
#pragma omp parallel // GPU
    {
        int i, id = omp_get_thread_num();
        for (i = id; i < n; i += omp_get_num_threads()) // whose counter is asked for
            part[id] += x[i];
        part[id] += i >= n;
    }
    printf("%d\n", sum() > 0);
#pragma omp parallel for collapse(2) // GPU
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 10; k++)
            part[omp_get_thread_num()] += i * k;
    printf("%d\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        part[of_thread()] += x[i];
    printf("%d\n", sum());
}

static void elements(void) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        part[omp_get_thread_num()] = part[omp_get_thread_num()] + x[i];
    printf("%d\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        int id = omp_get_thread_num();
        part[id] += x[i];
        x[i] += part[id] < 0;
    }
    printf("%d\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        if (omp_get_thread_num() >= 0) {
#pragma omp atomic
            part[0] += i == 7;
        }
    printf("%d\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        *(part + omp_get_thread_num()) += x[i];
    printf("%d\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        add(&part[omp_get_thread_num()], x[i]);
    printf("%d\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        int *own = part + omp_get_thread_num();
        *own += x[i];
    }
    printf("%d\n", sum());
}

static void numbers(void) {
    int last = 0;
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num(), at = id;
#pragma omp for
        for (int i = 0; i < n; i++) {
            part[at] += x[i];
            at = at == id ? id + 32 : id;
        }
    }
    printf("%d\n", sum());
#pragma omp parallel // GPU
    {
#pragma omp for lastprivate(last)
        for (int i = 0; i < n; i++) {
            last = omp_get_thread_num();
            part[last] += x[i];
        }
    }
    printf("%d %d\n", sum(), last + 1 == omp_get_max_threads());
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        order[omp_get_thread_num() * 8 + i % 8] = i % 8;
    printf("%d %d\n", order[3], order[7]);
}

typedef struct {
    int many;
    float sum;
} account;
static void accounts(void) {
    static account of[MOST];
    float all = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        of[omp_get_thread_num()].sum += (float)x[i];
    for (int t = 0; t < MOST; t++)
        all += of[t].sum;
    printf("%g\n", all);
}

// Iterations that are dealt out to threads that have time: what each has of them is open, what they have together is not.
static void dealt(void) {
    int own[MOST] = {0}, all = 0, many = 0;
    static int where[1000];
#pragma omp parallel for schedule(dynamic) // GPU
    for (int i = 0; i < n; i++)
        part[omp_get_thread_num()] += x[i];
    printf("%d\n", sum());
#pragma omp parallel // GPU
    {
        int mine = 0, id = omp_get_thread_num();
#pragma omp for schedule(guided, 4) reduction(+ : all)
        for (int i = 0; i < n; i++) {
            where[i] = x[i] % 10;
            all += x[i];
            mine++;
        }
        own[id] = mine;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; i++)
            order[id * 8 + where[i] % 8]++;
    }
    for (int t = 0; t < MOST; t++)
        many += own[t] * 10;
    for (int k = 0; k < MOST * 8; k++)
        many += order[k];
    printf("%d %d %d\n", all, many, where[77]);
}

static unsigned next(unsigned *state) {
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

// What threads take from one iteration to the next: results are those of as many threads.
static void states(void) {
    unsigned seed = 5;
    int hits = 0, more = 0, all = 0, least = 1000, odd = 0, first[MOST], t;
#pragma omp parallel for firstprivate(seed) reduction(+ : hits) schedule(static) // GPU
    for (int i = 0; i < n; i++)
        hits += next(&seed) >> 31;
#pragma omp parallel reduction(+ : more) private(seed) // GPU
    {
        seed = 99;
        more += next(&seed) >> 31;
#pragma omp for schedule(static, 7) nowait
        for (int i = 0; i < n; i++)
            more += next(&seed) >> 31;
    }
#pragma omp parallel // GPU
    {
        int each = n / omp_get_num_threads(), own = 0;
        unsigned state = 17 + (unsigned)omp_get_thread_num();
        for (int i = 0; i < each; i++)
            own += next(&state) >> 31;
        first[omp_get_thread_num()] = own;
#pragma omp critical
        all += own * 2;
#pragma omp atomic
        odd += own & 1;
    }
#pragma omp parallel // GPU
    {
        int lowest = 1000;
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < n; i++)
            if (x[i] < lowest) lowest = x[i];
#pragma omp critical
        if (lowest < least) least = lowest;
    }
    printf("%d %d %d %d %d %d\n", hits, more, all, odd, least, first[0]);
    for (t = 0; t < 3; t++) {
        unsigned state = 3 + (unsigned)t;
        int some = 0;
#pragma omp parallel for firstprivate(state) reduction(+ : some) // GPU: 3 calls
        for (int i = 0; i < n; i++)
            some += next(&state) >> 31;
        printf("%d\n", some);
    }
}

// Blocks of rows, steps that wait for each other, a counter that is the thread's.
static void steps(void) {
    static int a[2][1000];
    for (int i = 0; i < n; i++)
        a[0][i] = x[i];
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num(), threads = omp_get_num_threads(), i;
        int size = (n - 2 + threads - 1) / threads;
        int lo = 1 + id * size, hi = lo + size < n - 1 ? lo + size : n - 1;
        for (int t = 0; t < 4; t++) {
            for (i = lo; i < hi; i++)
                a[(t + 1) % 2][i] = (a[t % 2][i - 1] + a[t % 2][i + 1]) % 101;
#pragma omp barrier
        }
    }
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num(), threads = omp_get_num_threads();
        int each = n / threads, rest = n % threads;
        int lo = id * each + (id < rest ? id : rest), hi = lo + each + (id < rest);
        if (id == threads - 1) hi = n;
        for (int i = lo; i < hi; i++)
            part[id] += a[0][i];
    }
    printf("%d\n", sum());
    int base = 40;
#pragma omp parallel firstprivate(base) // GPU
    {
        int id = omp_get_thread_num();
#pragma omp single copyprivate(base)
        base = x[3] + 7;
        base += id; // what one has set for all, each changes
#pragma omp for
        for (int i = 0; i < n; i++)
            part[id] += x[i] + base;
    }
    printf("%d\n", sum());
}

int main(void) {
    for (int i = 0; i < n; i++)
        x[i] = i * 7 % 100;
    loops();
    elements();
    numbers();
    accounts();
    for (int k = 0; k < MOST * 8; k++)
        order[k] = 0;
    dealt();
    states();
    steps();
    return 0;
}
