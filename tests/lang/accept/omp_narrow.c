// Reduced and linear variables of fewer than 32 bits: they wrap around in their own type, as all that is assigned to them.
// test: -i n=16 -i x=arange
// check: exact
void narrow(int n, const int x[n], int out[8], int seen[n]) {
    unsigned char sum = 250, team = 250, mixed = 250, line = 250;
    short large = 32767;
    signed char product = 100;
    unsigned short down = 3;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += 3;
#pragma omp parallel num_threads(4) reduction(+ : team, large) reduction(* : product)
    {
        team += 3;
        large += 1;
        product *= 3;
    }
#pragma omp parallel num_threads(4) reduction(+ : mixed)
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            mixed += x[i];
        mixed += 1;
    }
#pragma omp parallel for linear(line : 3) linear(down : -1)
    for (int i = 0; i < n; i++) {
        seen[i] = line * 100000 + down;
        line += 3;
        down -= 1;
    }
    out[0] = sum;
    out[1] = team;
    out[2] = large;
    out[3] = product;
    out[4] = mixed;
    out[5] = line;
    out[6] = down;
    out[7] = sum + team;
}
