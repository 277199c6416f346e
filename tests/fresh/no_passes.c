// no_passes.c - a sequential loop between parallel ones whose length the program finds: none.
//
// test: -i n=900 -i width=0.03 -i first=uniform:lo=0,hi=4096,seed=1
// check: exact
void no_passes(int n, float width, int first[n + 1], int born[n]) {
    int wide = (int)(1.0f / width), none = (int)(width * 3.0f);
#pragma omp parallel for
    for (int i = 0; i < wide; i++)
        born[i] = first[i * 7];
    for (int c = 0; c < none; c++)
        first[c + 1] = first[c] * 3 + born[c];
#pragma omp parallel for
    for (int i = 0; i < wide; i++)
        born[i] -= first[i];
}
