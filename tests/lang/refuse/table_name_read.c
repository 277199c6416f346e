// The names of a table cannot be read by an iteration.
// test: -i n=9
// error: 12:30: only one that the program itself fills; use an array and an index
struct method {
    const char *name;
    int order;
};
static const struct method methods[2] = {{"Euler", 1}, {"Heun", 2}};
void use(int n, int y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = methods[i & 1].name[0] + methods[i & 1].order;
}
