// Values that go from hand to hand: nobody may lose one. Each pass puts its number into a place and takes what was there;
// of those that find a seat free, one gets it; a pass that does not get its sum in tries again.
//
// test: -i n=1500 -i rounds=3
// check: exact
void atomic_exchanges(int n, int rounds, int place[4], int seat[64], unsigned hash[2], unsigned total[1], int winners[1]) {
    for (int t = 0; t < rounds; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int old;
#pragma omp atomic capture
            {
                old = place[i & 3];
                place[i & 3] = i;
            }
#pragma omp atomic
            total[0] += (unsigned)old;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int got;
#pragma omp atomic compare capture
            {
                got = seat[i & 63] == t;
                if (got) {
                    seat[i & 63] = t + 1;
                }
            }
            if (got) {
#pragma omp atomic
                winners[0]++;
            }
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            unsigned seen, before;
#pragma omp atomic read
            seen = hash[0];
            for (int tries = 0; tries < 1000000; tries++) {
#pragma omp atomic compare capture
                {
                    before = hash[0];
                    if (hash[0] == seen) {
                        hash[0] = seen * 5u + 1u;
                    }
                }
                if (before == seen) break;
                seen = before;
            }
        }
        for (int k = 0; k < 4; k++) {
            total[0] += (unsigned)place[k];
            place[k] = 0;
        }
    }
}
