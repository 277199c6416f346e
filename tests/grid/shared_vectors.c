// Rows of four words and more that one workgroup writes and another reads, whole: vectors of plain words where the device keeps them
// coherent. Each row is made of two rows of the step before, near and far, and counts what it has seen.
// test: -i n=600 -i steps=9 -i a=uniform:lo=0,hi=1000,seed=1 -i seen=uniform:lo=0,hi=9,seed=2
// check: exact
// dispatches: 1
// barriers: 2 a step
enum { WIDTH = 32 };

void shared_vectors(int n, int steps, int a[n][WIDTH], int b[n][WIDTH], int seen[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int far = (i * 7 + 300 + t) % n, near = (i + 1) % n, sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int d = 0; d < WIDTH; d++) {
                int value = (a[far][d] * 3 + a[near][d] + d) % 1009;
                b[i][d] = value;
                sum += value;
            }
            seen[i] = (seen[i] + sum) % 10007;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int back = (i * 11 + 150) % n, sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int d = 0; d < WIDTH; d++) {
                int value = (b[back][d] + b[i][d] * 5) % 1013;
                a[i][d] = value;
                sum += value;
            }
            seen[i] = (seen[i] + sum) % 10007;
        }
    }
}
