// Running sums through all of a nest of loops, as those of a radix sort's counts: along rows and down columns, three
// loops deep, a long loop in a short one and the other way round, with what stands around the inner loop, and rows that
// begin anew. A bound is a scalar of the run.
//
// run: -i blocks=70 -i count=uniform:lo=0,hi=9,seed=1 -i cube=uniform:lo=0,hi=9,seed=2 -i wide=uniform:lo=0,hi=9,seed=3 -i tall=uniform:lo=0,hi=9,seed=4 -i rows=uniform:lo=-5,hi=9,seed=5
// test: -i blocks=70 -i count=uniform:lo=0,hi=9,seed=1 -i cube=uniform:lo=0,hi=9,seed=2 -i wide=uniform:lo=0,hi=9,seed=3 -i tall=uniform:lo=0,hi=9,seed=4 -i rows=uniform:lo=-5,hi=9,seed=5
// check: exact
// dispatches: 1
void scan_nests(int blocks, int count[64][80], int cube[9][12][31], int wide[3][1100], int tall[1100 * 3],
                int rows[6][400], int begin[64], int most[6], int ends[2]) {
    int sum = 0, prior, c;
    for (int d = 0; d < 64; d++) {
        begin[d] = sum;
        for (int b = 0; b < blocks; b++) {
            c = count[d][b];
            count[d][b] = sum;
            sum += c;
        }
    }
    ends[0] = sum;
#pragma omp parallel for
    for (int d = 0; d < 64; d++)
        begin[d] += count[d][0];
    sum = 5;
    for (int e = 0; e < 9; e++)
        for (int d = 0; d < 12; d++)
            for (int b = 0; b < 31; b++) {
                sum += cube[e][d][b];
                cube[e][d][b] = sum;
            }
#pragma omp parallel for
    for (int b = 0; b < 1100; b++)
        tall[b] += cube[b % 9][b % 12][b % 31] & 7;
    for (int d = 0; d < 3; d++) {
        for (int b = 0; b < 1100; b++) { // down columns
            c = tall[b * 3 + d];
            tall[b * 3 + d] = sum;
            sum += c;
        }
        sum += 2;
    }
#pragma omp parallel for
    for (int b = 0; b < 1100; b++)
        wide[1][b] += tall[b] & 7;
    for (int b = 0; b < 1100; b++)
        for (int d = 0; d < 3; d++) {
            sum = 3 * sum + wide[d][b];
            wide[d][b] = sum;
        }
    ends[1] = sum;
#pragma omp parallel for
    for (int b = 0; b < 400; b++)
        rows[2][b] += wide[0][b] & 7;
    for (int r = 0; r < 6; r++) {
        prior = 0;
        for (int b = 1; b < 400; b++) {
            rows[r][b] += rows[r][b - 1];
            prior = prior > rows[r][b] ? prior : rows[r][b];
        }
        most[r] = prior;
    }
#pragma omp parallel for
    for (int r = 0; r < 6; r++)
        most[r] -= rows[r][399];
}
