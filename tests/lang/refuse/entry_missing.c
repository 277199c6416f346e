// A file without any function that could be the entry.
// error: 3:1: no function of this file has a parallel loop; put `#pragma omp parallel for` before the loop to run
static int unused;

