// threadprivate of what is no variable that lives as long as the program, or too late; in clauses that give threads their own.
// test: -i n=16
// error: 11:30: 'nowhere' is none
// error: 15:27: 'threadprivate' names static variables, or those of file scope, in the block that declares them and before their first use: 'used' is none
// error: 16:27: 'n' is none
// error: 18:27: 'inner' is none
// error: 20:39: 'k' is threadprivate: copyin takes such variables, and other clauses do not
// error: 20:49: 'plain' is not threadprivate: copyin takes such variables, and other clauses do not
// error: 24:10: must be an integer, 'k' has type 'threadprivate int'
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
