// Recursive filters along the rows of an image: one of the second order with a gain of each column, from one array to
// another, then a smoothing one in place, twice; and what the filters have at the row's end.
// run: -i rows=200000 -i columns=333 -i image=uniform:seed=1 -i gain=uniform:lo=0.5,hi=1,seed=2
// test: -i rows=300 -i columns=61 -i image=uniform:seed=1 -i gain=uniform:lo=0.5,hi=1,seed=2
// check: near 1e-4

void walk_filter(int rows, int columns, const float image[rows][columns], const float gain[columns],
                 float out[rows][columns], float rest[rows][2]) {
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        float y1 = 0.0f, y2 = 0.0f, x1 = 0.0f;
        for (int c = 0; c < columns; c++) {
            float x = image[r][c] * gain[c], y = 0.3f * x + 0.2f * x1 + 0.6f * y1 - 0.2f * y2;
            x1 = x;
            y2 = y1;
            y1 = y;
            out[r][c] = y;
        }
        rest[r][0] = y1 + y2;
    }
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        float s = out[r][0];
        for (int twice = 0; twice < 2; twice++)
            for (int c = 0; c < columns; c++) {
                s = 0.75f * s + 0.25f * out[r][c];
                out[r][c] = s;
            }
        rest[r][1] = s;
    }
}
