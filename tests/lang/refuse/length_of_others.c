// Another function changes the length that rows had where their pointer was declared.
// test: -i n=16
// error: 11:25: 'm' is the length of an array, and changes later: use another variable for what it becomes
static int m;

static void grow(void) { m = 5; }

void f(int n, const int w[n], const float x[n], float y[n]) {
    m = w[0];
    const float(*r)[m];
    r = (const float(*)[m])x;
    grow();
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = r[1][i & 1] + (float)sizeof(r[0]);
}
