// build: -fdouble=float
// Room of each thread that is filled by the library, by members, or in spite of a value that it begins with: time loops
// around such regions move. One of which a thread may see what it left keeps them on the CPU.
#include <stdio.h>
#include <string.h>

enum { N = 1000, M = 32 };
static float a[N][M], b[N][M];
static float sums[M], row[M], begun[M] = {3, 4}, part[M];
static int hist[M], all[M], list[M], others[M], kept[M], count;
static struct {
    float x, y;
} pairs[M], one, half;
#pragma omp threadprivate(sums, row, begun, part, hist, list, others, kept, count, pairs, one, half)

static void together(void) {
    memset(begun, 0, sizeof begun);
    for (int t = 0; t < 5; t++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            memset(sums, 0, sizeof sums);
            for (int j = 0; j < M; j++)
                sums[(j * 5) % M] += a[i][j];
            memcpy(row, a[i], sizeof row);
            for (int j = 0; j < M; j++)
                b[i][j] = sums[j] + row[M - 1 - j] * 0.25f;
        }
#pragma omp parallel
        {
            memset(hist, 0, sizeof(hist));
#pragma omp for
            for (int i = 0; i < N; i++)
                hist[(int)b[i][t] & (M - 1)]++;
            for (int k = 0; k < M; k++)
#pragma omp atomic
                all[k] += hist[k];
        }
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < M; j++) {
                pairs[j].x = b[i][j];
                pairs[j].y = (float)all[j];
                begun[j] = b[i][j] * 0.5f;
            }
            memset(&one, 0, sizeof one);
            for (int j = 0; j < M; j++)
                one.x += pairs[(j * 3) % M].x + pairs[j].y * 0.001f;
            for (int j = 0; j < M; j++)
                a[i][j] = one.x * 0.01f + (float)(j & 3) + one.y + begun[(j * 7) % M];
        }
    }
}

// Half of an array is filled, and one of two members.
static void apart(void) {
    for (int t = 0; t < 3; t++) { // CPU, the loop: 'part' is a variable of each thread, and what one left in it may be used here: the loop's regions move one by one (line 57)
#pragma omp parallel for schedule(static) // GPU
        for (int i = 0; i < N; i++) {
            memcpy(part, a[i], sizeof part / 2);
            for (int j = 0; j < M; j++)
                b[i][j] += part[j] * 0.5f;
            part[M - 1] = (float)i;
        }
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[i][3] += b[i][2] * 0.125f;
    }
    for (int t = 0; t < 3; t++) { // CPU, the loop: 'half' is a variable of each thread, and what one left in it may be used here: the loop's regions move one by one (line 69)
#pragma omp parallel for schedule(static) // GPU
        for (int i = 0; i < N; i++) {
            half.x = a[i][1];
            b[i][2] += half.x + half.y;
            half.y = (float)i;
        }
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[i][1] += b[i][2] * 0.125f;
    }
    for (int t = 0; t < 3; t++) { // CPU, the loop: 'kept' is a variable of each thread, and what one left in it may be used here: the loop's regions move one by one (line 80)
#pragma omp parallel for schedule(static) // GPU
        for (int i = 0; i < N; i++) {
            int first = 2, end = 2;
            for (int j = 0; j < M - 2; j++)
                if (a[i][j] > 2) kept[end++] = j;
            for (int k = first - 1; k < end; k++)
                a[i][kept[k]] -= 0.125f;
        }
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[i][4] += b[i][2] * 0.125f;
    }
}

// Lists that data fill, of the thread's own counter and of the iteration's, also two at a time and up to a limit.
static void lists(void) {
    for (int t = 0; t < 3; t++) { // GPU
#pragma omp parallel for schedule(static)
        for (int i = 0; i < N; i++) {
            count = 0;
            for (int j = 0; j < M; j++)
                if (a[i][j] > 2) list[count++] = j;
            for (int k = 0; k < count; k++)
                a[i][list[k]] -= 0.125f;
        }
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            int low = 0, high = 0, k = 0;
            for (int j = 0; j < M; j++) {
                if (a[i][j] < 4 && low < 7) list[low++] = j;
                if (a[i][j] > 6) {
                    others[high] = j;
                    high++;
                }
            }
            for (int l = 1; l < low; l++)
                b[i][list[l]] += a[i][list[l - 1]] * 0.5f;
            while (k < high) {
                b[i][others[k]] += 0.25f;
                k++;
            }
        }
    }
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (float)((i * 7 + j * 3) % 11);
    together();
    apart();
    lists();
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            s += (double)(a[i][j] * (float)(1 + j % 3) + b[i][j]);
    printf("%.3e %d\n", s, all[3]);
    return 0;
}
