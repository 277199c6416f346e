// _Thread_local of a variable that lives in a block, and in a clause that gives threads their own.
// test: -i n=16
// error: 7:25: 'k' is _Thread_local and neither static nor extern: declare it without, in the loop
// error: 9:39: 'last' is threadprivate: copyin takes such variables, and other clauses do not
static _Thread_local int last;
void f(int n, float x[n]) {
    _Thread_local float k = 2.0f;
    x[0] = k;
#pragma omp parallel for firstprivate(last)
    for (int i = 0; i < n; i++) {
        x[i] = (float)last;
    }
}
