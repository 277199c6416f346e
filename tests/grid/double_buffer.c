// A step reads all of an array and then overwrites it. With a second array in turn one barrier a step is left, also where the number of
// steps is odd and an element has two indices.
// test: -i n=200 -i steps=7
// check: exact
// dispatches: 1
// barriers: 1 a step
void double_buffer(int n, int steps, int place[n][2], int speed[n], int trace[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int sum = 0;
            for (int j = 0; j < n; j++)
                sum += place[j][0] * (j + 1) - place[(j + i) % n][1];
            speed[i] = (speed[i] + sum + i) % 101;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 2; k++)
                place[i][k] = (place[i][k] + speed[i] * (k + 1) + t) % 97;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        trace[i] = place[n - 1 - i][1];
}
