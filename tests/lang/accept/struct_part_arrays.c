// Arrays of 8 and 16 bits in structs that are passed, whose elements the program reads.
// test: -i n=40 -i v=uniform:lo=0,hi=200,seed=3 -i nodes=uniform:lo=0,hi=2000000000,seed=5
// check: exact
struct small {
    unsigned char flag;
    signed char level;
};
struct tagged {
    short kind;
    unsigned short counts[3];
};
struct node {
    int at;
    char name[6];
    signed char grid[2][3];
    struct small inner[4];
    struct tagged tags[2];
    float weight;
};

static int sum_of(const char *name, int count) {
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += name[k] * (k + 1);
    return sum;
}

void pick(int n, const int v[n], struct node nodes[n], int out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        nodes[i].at += v[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = v[i] % n, m = v[i] % 3;
        out[i] = nodes[k].at + sum_of(nodes[k].name, 6) + nodes[i].name[5] * 3;
        for (int r = 0; r < 2; r++)
            for (int c = 0; c < 3; c++)
                out[i] += nodes[k].grid[r][c] * (r - 2 * c);
        out[i] += nodes[k].inner[v[i] % 4].flag * 5 + nodes[i].inner[3].level * 7;
        out[i] += nodes[k].tags[v[i] % 2].counts[m] * 11 + nodes[k].tags[1].kind;
    }
}
