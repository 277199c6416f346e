// static const tables: of numbers, with designators, of two dimensions, of structs, strings, inside a function.
// test: -i n=40
// check: exact
struct gate {
    int kind;
    float weight;
};
static const int primes[] = {2, 3, 5, 7, 11, 13};
static const float grid[2][3] = {{0.5f, 1.5f}, {2.5f, 3.5f, 4.5f}};
static const int sparse[10] = {[7] = 70, 71, [2] = 20};
static const struct gate gates[] = {{1, 0.25f}, {.weight = 2.0f, .kind = 3}, {0}};
static const char word[] = "whorl";
const unsigned char limits[4] = {255, 128, 64, 1};

void lookup(int n, int out[n][6], float real[n][2]) {
    static const int offsets[3] = {-1, 0, 1};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i][0] = primes[i % (int)(sizeof primes / sizeof primes[0])];
        out[i][1] = sparse[i % 10];
        out[i][2] = gates[i % 3].kind;
        out[i][3] = word[i % 5];
        out[i][4] = offsets[i % 3] * limits[i % 4];
        out[i][5] = (int)sizeof word;
        real[i][0] = grid[i % 2][i % 3];
        real[i][1] = gates[(i + 1) % 3].weight;
    }
}
