// A header that is nowhere.
// test: -i n=16
// error: 4:10: "nowhere.h" is not there
#include "nowhere.h"
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
    }
}
