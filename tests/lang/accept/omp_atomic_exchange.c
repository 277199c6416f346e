// Values exchanged under atomic: a table that many put keys into, places that one of many takes, a value that the last one
// leaves. What comes out does not depend on who is first.
// test: -i n=300
// check: exact
enum { PLACES = 512 };

static unsigned key_of(int i) { return (unsigned)(i / 2) * 2654435761u | 1u; }

static unsigned put(unsigned table[PLACES], unsigned key) {
    unsigned place = key >> 23;
    for (int tries = 0; tries < PLACES; tries++) {
        unsigned old;
#pragma omp atomic compare capture
        {
            old = table[place];
            if (table[place] == 0u) {
                table[place] = key;
            }
        }
        if (old == 0u || old == key) break;
        place = (place + 1u) % PLACES;
    }
    return place;
}

void exchange(int n, unsigned table[PLACES], int held[n], int seat[16], int seen[n], float last[2], int out[8]) {
    int winners = 0, losers = 0, once = 0, flag = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        held[i] = (int)put(table, key_of(i)) < PLACES;

#pragma omp parallel for reduction(+ : winners, losers)
    for (int i = 0; i < n; i++) {
        int r, other = -7, own = i;
#pragma omp atomic compare capture
        {
            r = seat[i & 15] == 0;
            if (r) {
                seat[i & 15] = 5;
            }
        }
        winners += r;
#pragma omp atomic compare capture
        if (seat[i & 15] == 4) {
            seat[i & 15] = 6;
        } else {
            other = seat[i & 15];
        }
        losers += other == 5;
#pragma omp atomic compare
        if (once == 0) {
            once = n;
        }
#pragma omp atomic compare
        flag = flag == 1 ? 2 : flag;
#pragma omp atomic compare capture
        { // nobody else's
            if (own == i) {
                own = -i;
            }
            seen[i] = own;
        }
        float before;
#pragma omp atomic capture
        {
            before = last[i & 1];
            last[i & 1] = 2.5f;
        }
        seen[i] += before > 3.0f;
    }
    out[0] = winners;
    out[1] = losers;
    out[2] = once;
    out[3] = flag;

    unsigned sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < PLACES; k++)
        sum += table[k];
    out[4] = (int)sum;
#pragma omp parallel for
    for (int k = 0; k < PLACES; k++)
        table[k] = table[k] != 0u; // which places are taken does not depend on who was first, who has which does
}
