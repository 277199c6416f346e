// Rows that need no other row for some steps, and then their neighbours: the steps within a row are one iteration each, and the loops that need
// other rows stay apart.
// run: -i rows=2048 -i columns=768 -i steps=20 -i rounds=4 -i x=normal:seed=1 -i above=zeros
// test: -i rows=67 -i columns=131 -i steps=9 -i rounds=2 -i x=normal:seed=1 -i above=zeros
// check: abs 1e-4
// dispatches: 1
// barriers: 2 a step
void rows_alone(int rows, int columns, int steps, int rounds, float x[rows][columns], float above[rows][columns]) {
    float y[rows][columns], mean[rows];
    for (int r = 0; r < rounds; r++) {
        for (int t = 0; t < steps; t++) {
#pragma omp parallel for
            for (int i = 0; i < rows; i++) {
                float sum = 0.0f;
                for (int j = 0; j < columns; j++)
                    sum += x[i][j];
                mean[i] = sum / (float)columns;
            }
#pragma omp parallel for collapse(2)
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++)
                    y[i][j] = 0.5f * x[i][j] - mean[i];
#pragma omp parallel for collapse(2)
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++)
                    x[i][j] = 0.5f * x[i][j] + y[i][columns - 1 - j];
        }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                above[i][j] = 0.25f * above[i][j] + x[i > 0 ? i - 1 : rows - 1][j];
    }
}
