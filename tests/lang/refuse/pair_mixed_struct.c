// A struct of doubles and others stays inside of the program.
// test: -fdouble=pair -i n=4
// error: 8:29: 'items': a struct that is passed has doubles alone or none
struct item {
    double value;
    int count;
};
void use(int n, struct item items[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        items[i].value *= items[i].count;
}
