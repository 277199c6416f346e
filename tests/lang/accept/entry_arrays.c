// Arrays declared in the entry function are scratch memory of the whole program: between loops, of two dimensions, with an
// initialiser, and structs.
// test: -i n=40
// check: exact
struct cell {
    int kind;
    float value;
};

void scratch(int n, float out[n], int kinds[n]) {
    float line[n], plane[n][2];
    struct cell cells[n];
    int weights[4] = {1, 2, 3, 4};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        line[i] = (float)(i * weights[i % 4]);
        cells[i].kind = i % 3;
        cells[i].value = 0.5f;
    }
    weights[0] = 100;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        plane[i][0] = line[n - 1 - i];
        plane[i][1] = cells[(i + 1) % n].value;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i] = plane[i][0] + plane[i][1] + (float)weights[0];
        kinds[i] = cells[i].kind;
    }
}
