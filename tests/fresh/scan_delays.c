// Filters that keep their last inputs: what a pass takes of these is of the two passes before, and of no earlier one. The
// last stretch of 4,097 passes would be a short one.
//
// run: -i x=uniform:lo=-1,hi=1
// test: -i x=uniform:lo=-1,hi=1
// check: abs 1e-4
// dispatches: 1
void scan_delays(const float x[4][4097], float y[4][4097], float state[4][5]) {
#pragma omp parallel for
    for (int c = 0; c < 4; c++) {
        float x1 = 0, x2 = 0, x3 = 0, y1 = 0, y2 = 0;
        for (int i = 0; i < 4097; i++) {
            float v = 0.2f * x[c][i] + 0.4f * x1 + 0.2f * x2 + 0.1f * x3 + 0.9f * y1 - 0.3f * y2;
            x3 = x2, x2 = x1, x1 = x[c][i];
            y2 = y1, y1 = v;
            y[c][i] = v;
        }
        state[c][0] = x1, state[c][1] = x2, state[c][2] = x3, state[c][3] = y1, state[c][4] = y2;
    }
}
