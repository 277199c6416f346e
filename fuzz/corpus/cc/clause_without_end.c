# 1 "no_headers.c"
static int last, x[50];
int printf(const char *format, ...);

int main(void) {
#pragma omp parallel for lastprivate(last( // GPU
    for (int µ = 0; i < 50; i++) {
        x[i] = i * i;
        last = x[i];
    }
    printf("%d %d\n", last, x[7]);
    return 0;
}
