// stepform.c - many pendulums, written as an array language would: the state lies in arrays, and every operation of a
// step is a loop over all of them.
//
// With a dispatch for each loop, the GPU does a little work and waits for the next one, and the state goes through memory
// every time. No pendulum needs another one: so the compiler moves the loop over time inside, and keeps a pendulum's
// state in registers for all of its steps.
//
// run: -i n=16384 -i steps=500 -i angle=uniform:lo=-1,hi=1,seed=1 -i speed=zeros
// test: -i n=512 -i steps=100 -i angle=uniform:lo=-1,hi=1,seed=1 -i speed=zeros
// check: abs 1e-3
#include <math.h>

#define DT 0.01f

void stepform(int n, int steps, float angle[n], float speed[n]) {
    float force[n], drag[n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            force[i] = -sinf(angle[i]);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            drag[i] = 0.1f * speed[i];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            speed[i] += DT * (force[i] - drag[i]);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            angle[i] += DT * speed[i];
    }
}
