// Lists up to a limit as programs write them: with other conditions beside the limit, a count of what did not fit, an entry's members by
// a pointer to it, in sections that have the list's name.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, ROOM = 150 };
struct peak {
    int at;
    double height, width;
};
static struct peak peaks[N];
static int holes[ROOM], level[N];
static float x[N];

static int by_number(const void *p, const void *q) { return *(const int *)p - *(const int *)q; }
static int by_place(const void *p, const void *q) {
    return ((const struct peak *)p)->at - ((const struct peak *)q)->at;
}
static unsigned sum_holes(int count) {
    unsigned h = 0;
    qsort(holes, (size_t)count, sizeof holes[0], by_number);
    for (int i = 0; i < count; i++)
        h = h * 31 + (unsigned)holes[i];
    return h;
}
static double sum_peaks(int count) {
    double sum = 0;
    qsort(peaks, (size_t)count, sizeof peaks[0], by_place);
    for (int i = 0; i < count; i++)
        sum += (i % 7 + 1) * peaks[i].height + peaks[i].width + peaks[i].at;
    return sum;
}

int main(void) {
    int found = 0, missed = 0, count = 0, room = ROOM, lost = 0;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i * 7919 % 1000) / 1000, level[i] = i % 5;
        // two lists, each up to its limit
#pragma omp parallel for // GPU
    for (int i = 1; i < N - 1; i++)
        if (x[i] > 0.6f) {
#pragma omp critical(peaks)
            if (found < N) {
                struct peak *p = &peaks[found++];
                p->at = i;
                p->height = x[i];
                p->width = p->height * 0.5;
            }
        } else if (x[i] < 0.01f) {
#pragma omp critical(holes)
            {
                if (count < ROOM) holes[count++] = i;
            }
        }
    printf("%d %.3f %d %u\n", found, sum_peaks(found), count, sum_holes(count));
    count = 0;
    // all come, and more: how many did not fit is counted
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        if (x[i] < 0.25f) {
#pragma omp critical
            if (count < room)
                holes[count++] = i;
            else
                missed++;
        }
    printf("%d %d %d\n", count, missed, sum_holes(count) != 0);
    count = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
#pragma omp critical
        if (x[i] < 0.04f && count < room && level[i] > 0) holes[count++] = i;
    }
    printf("%d %u\n", count, sum_holes(count));
    count = 5;
    room = 3;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
#pragma omp critical
        if (level[i] == 2 && count < room) holes[count++] = i;
    }
    printf("%d\n", count);
    count = 0;
    // what did not fit has a place of its own, beside the condition: two orders, and of two counters that follow from one
#pragma omp parallel for // CPU: this 'critical' is for the CPU alone
    for (int i = 0; i < N; i++) {
#pragma omp critical
        if (count < 100)
            holes[count++] = i;
        else
            level[lost++] = i;
    }
    printf("%d %d\n", count, lost);
    found = 0;
    // a pointer that another one takes over
#pragma omp parallel for // CPU: this 'critical' is for the CPU alone
    for (int i = 0; i < N; i++)
        if (x[i] > 0.5f) {
#pragma omp critical
            if (found < N) {
                struct peak *p = &peaks[found++], *q;
                q = p;
                q->at = i;
                q->height = q->width = 1;
            }
        }
    printf("%d %.3f\n", found, sum_peaks(found));
    return 0;
}
