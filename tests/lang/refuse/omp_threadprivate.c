// threadprivate of what is no variable that lives as long as the program, or too late; in clauses that give threads their own.
// test: -i n=16
// error: 11:30: use of undeclared identifier 'nowhere'
// error: 15:27: must stand before the first use of 'used'
// error: 16:27: is neither static nor declared at file scope
// error: 18:27: must stand in the block that declares 'inner'
// error: 20:39: 'k' is threadprivate: it can only be named by copyin and copyprivate
// error: 20:49: 'plain' is not threadprivate: copyin takes such variables alone; use firstprivate
// error: 24:10: the variable of an OpenMP loop cannot be threadprivate: declare 'k' in the loop
static int k, plain;
#pragma omp threadprivate(k, nowhere)
void f(int n, float x[n]) {
    static int used, inner;
    used = 1;
#pragma omp threadprivate(used)
#pragma omp threadprivate(n)
    if (n) {
#pragma omp threadprivate(inner)
    }
#pragma omp parallel for firstprivate(k) copyin(plain)
    for (int i = 0; i < n; i++)
        x[i] = (float)(k + inner + used + plain);
#pragma omp parallel for
    for (k = 0; k < n; k++)
        x[k] = 0.0f;
}
