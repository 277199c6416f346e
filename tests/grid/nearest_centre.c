// k-means: each point's nearest centre by all distances, then the centres anew by a loop over all points.
//
// test: -i n=1400 -i centres=24 -i dims=12 -i rounds=3 -i point=uniform:lo=0,hi=1,seed=1 -i centre=uniform:lo=0,hi=1,seed=2 -i away=zeros -i nearest=zeros
// check: centre abs 1e-4
// check: away abs 1e-3
// check: nearest exact
// dispatches: 1
void nearest_centre(int n, int centres, int dims, int rounds, const float point[n][dims], float centre[centres][dims],
                    float away[n][centres], int nearest[n]) {
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < centres; c++) {
                float s = 0.0f;
                for (int d = 0; d < dims; d++)
                    s += (point[i][d] - centre[c][d]) * (point[i][d] - centre[c][d]);
                away[i][c] = s;
            }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int best = 0;
            for (int c = 1; c < centres; c++)
                if (away[i][c] < away[i][best]) best = c;
            nearest[i] = best;
        }
#pragma omp parallel for collapse(2)
        for (int c = 0; c < centres; c++)
            for (int d = 0; d < dims; d++) {
                float sum = 0.0f;
                int count = 0;
                for (int i = 0; i < n; i++)
                    if (nearest[i] == c) {
                        sum += point[i][d];
                        count++;
                    }
                if (count > 0) centre[c][d] = sum / (float)count;
            }
    }
}
