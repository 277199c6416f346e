// Structs that are passed may have fields of 8 and 16 bits, which the program reads.
// test: -i n=40 -i v=uniform:lo=0,hi=200,seed=3 -i nodes=uniform:lo=0,hi=2000000000,seed=5
// check: exact
struct small {
    unsigned char flag;
    signed char level;
};
struct node {
    int at;
    unsigned char is_leaf;
    signed char shift;
    short wide;
    unsigned short wider;
    unsigned char key, unused[3];
    struct small inner[2], last;
    float weight;
};

void pick(int n, const int v[n], struct node nodes[n], int out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        nodes[i].at += v[i];
        nodes[i].weight = (float)i;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = v[i] % n;
        out[i] = nodes[k].is_leaf ? 1 : nodes[k].at * 2;
        out[i] += nodes[k].shift * 3 + nodes[k].wide * 5 + nodes[k].wider * 7 + nodes[k].key * 11 + nodes[k].last.flag;
        out[i] += nodes[k].last.level;
    }
}
