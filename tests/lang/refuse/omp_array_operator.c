// Integers in arrays are reduced by operators that atomic updates have, floats by sums.
// test: -i n=16
// error: 5:40: this reduction of the array 'x' is not supported: integers can be reduced by + - & | ^ min max
void f(int n, float x[n]) {
#pragma omp parallel for reduction(* : x[:3])
    for (int i = 0; i < n; i++)
        x[i % 3] *= 2.0f;
}
