// A short loop whose copies each have an index of their own, though the variable is read after the loop: no copy may get another's.
// test: -i n=24 -i stride=arange -i shift=arange
// check: exact
void hops(int n, const int stride[n], const unsigned shift[n], int visits[n][8], int last[n], int seen[8], int slot[n],
          unsigned mixed[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) { // elements of an array, of a local one, under a branch, and two loops deep
        int place = 0, at = 3, own[4] = {0, 0, 0, 0};
        for (int hop = 0; hop < 4; hop++) {
            place = hop * stride[i] % 8;
            visits[i][place] += 1;
            own[place & 3] += hop;
            if (place > 2) visits[i][place - 1] -= at;
            for (int half = 0; half < 2; half++) {
                at = (place + half) & 3;
                own[at] += own[3 - at] + half;
            }
        }
        last[i] = place * 100 + own[0] + 10 * own[1] + 7 * own[2] + 3 * own[3] + at;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) { // atomic updates, and conditions
        int place = 7;
        for (int hop = 0; hop < 3; hop++) {
            if (place > hop) place = (hop * stride[i] + 5) % 8;
#pragma omp atomic
            seen[place] += hop;
        }
        last[i] += place;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) { // the value before the update, of an element that the pass chooses
        int place = 0, old = 0;
        for (int hop = 0; hop < 3; hop++) {
            place = (hop * stride[i] + i) % n;
#pragma omp atomic capture
            {
                old = slot[(i * 5 + 3) % n];
                slot[(i * 5 + 3) % n] += place;
            }
        }
        last[i] += place + old;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) { // an array of the loop's body
        unsigned word = 1;
        for (unsigned pass = 0; pass < 3; pass++) {
            word = 12u + pass * shift[i];
            unsigned bin[4] = {0, 0, 0, 0};
            bin[word & 3u] += 1;
            word ^= bin[i & 3];
        }
        mixed[i] = word;
    }
}
