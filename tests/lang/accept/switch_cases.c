// The statement switch: fallthrough, several labels, default in the middle, return and continue inside, nested, of unsigned and enum.
// test: -i n=64
// check: exact
enum colour { RED, GREEN = 5, BLUE };

static int weight(enum colour c) {
    switch (c) {
    case RED:
        return 1;
    case GREEN:
        return 10;
    case BLUE:
        return 100;
    }
    return -1;
}

static int fall(int x) {
    int r = 0;
    switch (x % 7) {
    case 0:
        r += 1; /* fall through */
    case 1:
    case 2:
        r += 10;
        break;
    default:
        r += 1000; /* fall through */
    case 3:
        r += 100;
        if (x > 30)
            break;
        r += 5;
        break;
    case -1:
        r = -1;
    }
    return r;
}

void choose(int n, int out[n][3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i][0] = fall(i - 5);
        out[i][1] = weight(i % 3 == 0 ? RED : i % 3 == 1 ? GREEN : BLUE);
        int sum = 0;
        for (unsigned k = 0; k < 10u; k++) {
            switch (k + (unsigned)i) {
            case 3u:
            case 4u:
                continue;
            case 12u:
                switch (i % 2) {
                case 0:
                    sum += 7;
                    break;
                }
                sum++;
                break;
            case 4000000000u:
                sum = 0;
            }
            sum += (int)k;
        }
        out[i][2] = sum;
    }
}
