// Places are read by everybody, velocities by their owner alone: those stay plain.
// test: -i n=400 -i steps=5 -i place=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
void plain_and_shared(int n, int steps, int place[n], int velocity[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int pull = 0;
            for (int k = 1; k < 5; k++)
                pull += place[(i + k * 97) % n] > place[i] ? k : -k;
            velocity[i] = (velocity[i] * 3 + pull) % 101;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (i % 7 != 3) place[i] = (place[i] + velocity[i] + 1009) % 1009;
    }
}
