// The only parallel loop is one of main, which has no arrays as parameters.
// error: 6:1: this parallel loop stands in 'main', which does not run on the device: move it into a function that takes its sizes and arrays as parameters, as in void work(int n, float x[n]); or name it as the entry, file.c:main, if all of it is in the language
static float twice(float x) { return 2.0f * x; }
int main(void) {
    static float x[100];
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        x[i] = twice(x[i]);
    return 0;
}
