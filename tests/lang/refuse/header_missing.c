// A header that is not built in is left out: what it declares is missed where the entry reaches its use.
// test: -i n=16
// error: 8:23: call to undeclared function 'htons'
#include <arpa/inet.h>
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (float)htons((short)i);
}
