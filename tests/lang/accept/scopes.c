// Blocks, inner names that hide outer ones, declarations between statements, several declarators.
// test: -i n=32
// check: exact
static const int x = 3;

void scopes(int n, int out[n][2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int a = x, b = a + i, *p = &b;
        {
            int x = i;
            a += x;
            {
                float x = 0.5f;
                a += (int)(x * 8.0f);
            }
            x++;
            *p += x;
        }
        ;
        int c = x;
        for (int x = 0; x < 3; x++) {
            int x = 5;
            c += x;
        }
        out[i][0] = a + c;
        out[i][1] = b;
    }
}
