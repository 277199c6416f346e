// nearest_neighbours.c - the class of each query by a vote of its nearest known points.
//
// Source: E. Fix, J. L. Hodges, "Discriminatory analysis: nonparametric discrimination", 1951. The nearest ones are kept
// in order while the known points go by.
//
// run: -i queries=16384 -i known=16384 -i point=normal:seed=1 -i query=normal:seed=2
// test: -i queries=40 -i known=200 -i point=normal:seed=1 -i query=normal:seed=2
// check: exact
// dispatches: 1
enum { NEAREST = 7, DIMENSIONS = 4, CLASSES = 3 };

static int class_of(const float p[DIMENSIONS]) {
    float s = p[0] * p[1] + p[2];
    return s < -0.5f ? 0 : s < 0.5f ? 1 : 2;
}

void nearest_neighbours(int queries, int known, const float point[known][DIMENSIONS],
                        const float query[queries][DIMENSIONS], int label[queries], int nearest[queries]) {
#pragma omp parallel for
    for (int i = 0; i < queries; i++) {
        float away[NEAREST];
        int who[NEAREST];
        for (int k = 0; k < NEAREST; k++) {
            away[k] = 1e30f;
            who[k] = -1;
        }
        for (int j = 0; j < known; j++) {
            float d = 0.0f;
            for (int c = 0; c < DIMENSIONS; c++) {
                float gap = query[i][c] - point[j][c];
                d += gap * gap;
            }
            if (d >= away[NEAREST - 1]) continue;
            int k = NEAREST - 1;
            while (k > 0 && away[k - 1] > d) {
                away[k] = away[k - 1];
                who[k] = who[k - 1];
                k--;
            }
            away[k] = d;
            who[k] = j;
        }
        int votes[CLASSES] = {0, 0, 0};
        for (int k = 0; k < NEAREST; k++)
            if (who[k] >= 0) votes[class_of(point[who[k]])]++;
        int most = 0;
        for (int c = 1; c < CLASSES; c++)
            if (votes[c] > votes[most]) most = c;
        label[i] = most;
        nearest[i] = who[0];
    }
}
