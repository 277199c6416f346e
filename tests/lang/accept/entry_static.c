// A static function is the entry where no other has a parallel loop: it needs no name from outside.
// test: -i n=20
// check: exact
static void fill(int n, int out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = i * 7 % 5;
}

int main(void) {
    int values[20];
    fill(20, values);
    return values[0];
}
