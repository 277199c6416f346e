// Critical sections that append to lists: one counter in each, sums beside it, either of two lists, a number of places
// at once, members, structs. In which order iterations come is open: the lists are sorted, or summed up.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>

#define MOST 4000
typedef struct {
    int at, value;
} entry;
struct list {
    int *at, count;
};
static int x[MOST], big[MOST], small[MOST], counts[4], buckets[4][MOST], n = MOST;
static entry entries[MOST];

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void print(int *list, int count) {
    qsort(list, (size_t)count, sizeof *list, compare);
    unsigned hash = 0;
    for (int i = 0; i < count; i++)
        hash = hash * 31 + (unsigned)list[i];
    printf("%d %u\n", count, hash);
}

static void members(struct list *list) {
    list->count = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        if (x[i] % 5 == 1) {
#pragma omp critical(list)
            list->at[list->count++] = i;
        }
    }
    print(list->at, list->count);
}

// A search level by level: lists that are exchanged, so that behind the end of one stands what is left of another.
static void levels(void) {
    int *front = malloc(sizeof x), *next = malloc(sizeof x), *level = malloc(sizeof x), count = 1, depth = 0, all = 1;
    for (int i = 0; i < n; i++)
        level[i] = -1;
    front[0] = level[0] = 0;
    while (count > 0) { // GPU
        int found = 0;
        depth++;
#pragma omp parallel for
        for (int f = 0; f < count; f++) {
            int to = (front[f] * 5 + 7) % n, too = (front[f] * 3 + 1) % n;
#pragma omp atomic write
            big[to] = depth;
#pragma omp atomic write
            big[too] = depth;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (big[i] == depth && level[i] < 0) {
                level[i] = depth;
#pragma omp critical
                {
                    next[found] = i;
                    found++;
                    all++;
                }
            }
        int *old = front;
        front = next;
        next = old;
        count = found;
    }
    unsigned hash = 0;
    for (int i = 0; i < n; i++)
        hash = hash * 31 + (unsigned)level[i];
    printf("%d %d %u\n", depth, all, hash);
    free(front);
    free(next);
    free(level);
}

// Appending up to a limit: as many as there is room for, and the counter stops there. Which come first is open.
struct room {
    int *at, count, most;
};
static void limits(struct room *room, int most) {
    int many = 0, taken = 0, full = n + 3, missing = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        if (x[i] % 2 == 0) {
#pragma omp critical
            if (many < most) big[many++] = i;
        }
        if (x[i] % 3 == 0) {
#pragma omp critical(second)
            {
                if (taken < most * 100) {
                    small[taken] = i;
                    taken++;
                }
            }
        }
#pragma omp critical(third)
        if (full < n) counts[full++] = 0;
    }
    for (int k = 0; k < many; k++)
        missing += x[big[k]] % 2 != 0;
    printf("%d %d %d %d\n", many, taken, full - n, missing);
    print(small, taken);
    room->count = 0;
    room->most = 30;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            if (room->count < 30) room->at[room->count++] = i;
        }
    }
    printf("%d\n", room->count);
    many = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        int k;
#pragma omp atomic capture
        k = many++;
        if (k < most) big[k] = x[i];
    }
    printf("%d\n", many);
}

int main(void) {
    int many = 0, few = 0, room = 0, pairs[2 * MOST];
    double total = 0;
    for (int i = 0; i < n; i++)
        x[i] = i * 7919 % 1000;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        if (x[i] > 500) {
            int at;
#pragma omp critical
            {
                at = many;
                many++;
                total += x[i] * 0.5;
                few -= 2;
            }
            big[at] = x[i];
        }
    }
    printf("%d %g %d\n", many, total, few);
    print(big, many);
    many = few = 0;
#pragma omp parallel // GPU
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp critical
            {
                if (x[i] > 300) {
                    big[many] = i;
                    many++;
                } else {
                    small[few] = i;
                    ++few;
                }
            }
        }
    }
    print(big, many);
    print(small, few);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        int b = x[i] & 3;
#pragma omp critical(bucket)
        buckets[b][counts[b]++] = i;
    }
    for (int b = 0; b < 4; b++)
        print(buckets[b], counts[b]);
    many = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            pairs[room] = i;
            room += 2;
            pairs[room - 1] = x[i];
            many += 3;
        }
    }
    unsigned hash = 0;
    for (int i = 0; i < room; i += 2)
        hash += (unsigned)(pairs[i] * 17 + pairs[i + 1]) * (unsigned)pairs[i];
    printf("%d %d %u\n", room, many, hash);
    many = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        if (x[i] > 900)
#pragma omp critical
        {
            entries[many].at = i;
            entries[many].value = x[i];
            many++;
        }
    hash = 0;
    for (int i = 0; i < many; i++)
        hash += (unsigned)(entries[i].at * entries[i].value);
    printf("%d %u\n", many, hash);
    struct list list = {malloc(sizeof x), 0};
    members(&list);
    struct room last = {list.at, 0, 0};
    limits(&last, 40);
    free(list.at);
    for (int i = 0; i < n; i++)
        big[i] = 0;
    levels();
    return 0;
}
