// A field of one struct of an entry array counts.
// test: -i n=64
// error: 10:9: data race
struct tally {
    int count, other;
};
void f(int n, struct tally t[2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        t[1].count += i;
}
