// States of qubits: layers of gates on each qubit, and between neighbours.
//
// test: -i qubits=7 -i layers=3 -i state=uniform:lo=-1,hi=1,seed=1 -i turn=uniform:lo=0,hi=3,seed=2
// check: abs 1e-3
#include <math.h>

void qubits(int qubits, int layers, float state[1 << qubits][2], const float turn[layers][qubits]) {
    int n = 1 << qubits;
    for (int l = 0; l < layers; l++) {
        for (int q = 0; q < qubits; q++) {
#pragma omp parallel for
            for (int i = 0; i < n / 2; i++) {
                int low = i & ((1 << q) - 1), a = (i - low) * 2 + low, b = a | 1 << q;
                float c = cosf(turn[l][q]), s = sinf(turn[l][q]);
                float re = state[a][0], im = state[a][1];
                state[a][0] = c * re + s * state[b][1];
                state[a][1] = c * im - s * state[b][0];
                state[b][0] = c * state[b][0] + s * im;
                state[b][1] = c * state[b][1] - s * re;
            }
        }
        for (int q = 0; q + 1 < qubits; q++) {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                if ((i >> q & 1) && !(i >> (q + 1) & 1)) { // the one is set: the other is turned over
                    int j = i | 2 << q;
                    float re = state[i][0], im = state[i][1];
                    state[i][0] = state[j][0];
                    state[i][1] = state[j][1];
                    state[j][0] = re;
                    state[j][1] = im;
                }
        }
    }
}
