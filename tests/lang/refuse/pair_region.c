// A region's reduction outside of its worksharing loops.
// test: -fdouble=pair
// error: 6:51: the double 'sum' is reduced by a region: put the clause on the loop
void team(double out[1]) {
    double sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += 1.5;
    out[0] = sum;
}
