// Integers sorted by the sizes that each thread counts for its buckets, in rows behind pointers; one thread sums them up.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define MAX_KEY_LOG 10
#define MAX_KEY (1 << MAX_KEY_LOG)
#define NB 32
#define SHIFT (MAX_KEY_LOG - 5)
typedef int INT_TYPE;
INT_TYPE *key_array, *key_buff2, **bucket_size, bucket_ptrs[NB];
INT_TYPE key_buff1[MAX_KEY];
static void create(int n) {
    unsigned s = 12345;
    for (int i = 0; i < n; i++) {
        s = s * 1103515245u + 12345u;
        key_array[i] = (s >> 12) % MAX_KEY;
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 20000, i, k, num = 1;
    key_array = malloc(n * sizeof(INT_TYPE));
    key_buff2 = malloc(n * sizeof(INT_TYPE));
    num = omp_get_max_threads();
    bucket_size = malloc(num * sizeof(INT_TYPE *));
    for (i = 0; i < num; i++)
        bucket_size[i] = calloc(NB, sizeof(INT_TYPE));
    create(n);
#pragma omp parallel private(i, k) // GPU
    {
        int myid = omp_get_thread_num(), num_threads = omp_get_num_threads();
        INT_TYPE *work_buff = bucket_size[myid];
        for (i = 0; i < NB; i++)
            work_buff[i] = 0;
#pragma omp for schedule(static)
        for (i = 0; i < n; i++)
            work_buff[key_array[i] >> SHIFT]++;
#pragma omp barrier
#pragma omp single
        {
            bucket_ptrs[0] = 0;
            for (i = 1; i < NB; i++) {
                bucket_ptrs[i] = bucket_ptrs[i - 1];
                for (k = 0; k < num_threads; k++)
                    bucket_ptrs[i] += bucket_size[k][i - 1];
            }
        }
    }
    int *pos = malloc(NB * sizeof(int));
    for (i = 0; i < NB; i++)
        pos[i] = bucket_ptrs[i];
    for (i = 0; i < n; i++)
        key_buff2[pos[key_array[i] >> SHIFT]++] = key_array[i];
#pragma omp parallel for private(k) schedule(static, 1) // GPU
    for (i = 0; i < NB; i++) {
        int k1 = i * (MAX_KEY / NB), k2 = k1 + MAX_KEY / NB;
        for (k = k1; k < k2; k++)
            key_buff1[k] = 0;
        int m = i > 0 ? bucket_ptrs[i] : 0;
        int end = i < NB - 1 ? bucket_ptrs[i + 1] : n;
        for (k = m; k < end; k++)
            key_buff1[key_buff2[k]]++;
        key_buff1[k1] += m;
        for (k = k1 + 1; k < k2; k++)
            key_buff1[k] += key_buff1[k - 1];
    }
    long sum = 0;
    for (i = 0; i < MAX_KEY; i++)
        sum = (sum * 31 + key_buff1[i]) % 1000003;
    printf("%ld %d\n", sum, key_buff1[MAX_KEY - 1]);
    return 0;
}
