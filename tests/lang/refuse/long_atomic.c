// An atomic update of a 64-bit integer.
// test: -i n=16
// error: 7:13: an atomic update of type 'long': no device updates two words at once; use int or unsigned, a reduction
void f(int n, long total[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        total[0] += i;
    }
}
