// hidden_markov.c - the likeliest states of a hidden Markov model behind a long sequence of observations.
//
// Source: A. J. Viterbi, "Error bounds for convolutional codes and an asymptotically optimum decoding algorithm", 1967,
// with logarithms. Many states, one step after the other; then the way back.
//
// run: -i steps=1000 -i states=256 -i symbols=32 -i move=normal:seed=1 -i emit=normal:seed=2 -i seen=uniform:lo=0,hi=31,seed=3
// test: -i steps=30 -i states=20 -i symbols=5 -i move=normal:seed=1 -i emit=normal:seed=2 -i seen=uniform:lo=0,hi=4,seed=3
// check: path exact
// check: from exact
// check: score abs 1e-3
// check: last abs 1e-3
// dispatches: 1
// barriers: 2 a step
void hidden_markov(int steps, int states, int symbols, const float move[states][states],
                   const float emit[states][symbols], const int seen[steps], float score[states], float last[states],
                   int from[steps][states], int path[steps]) {
#pragma omp parallel for
    for (int s = 0; s < states; s++)
        last[s] = emit[s][seen[0]];
    for (int t = 1; t < steps; t++) {
#pragma omp parallel for
        for (int s = 0; s < states; s++) {
            float most = last[0] + move[0][s];
            int who = 0;
            for (int p = 1; p < states; p++)
                if (last[p] + move[p][s] > most) {
                    most = last[p] + move[p][s];
                    who = p;
                }
            score[s] = most + emit[s][seen[t]];
            from[t][s] = who;
        }
        float top = -1e30f;
#pragma omp parallel for reduction(max : top)
        for (int s = 0; s < states; s++)
            top = score[s] > top ? score[s] : top;
#pragma omp parallel for
        for (int s = 0; s < states; s++)
            last[s] = score[s] - top;
    }
    int state = 0;
    for (int s = 1; s < states; s++)
        if (last[s] > last[state]) state = s;
    for (int t = steps - 1; t >= 0; t--) {
        path[t] = state;
        if (t > 0) state = from[t][state];
    }
}
