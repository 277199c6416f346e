// Critical sections that append to lists, with counts and sums beside: in which order is open.
// test: -i n=300 -i x=uniform:lo=0,hi=100,seed=1
// check: exact
struct pair {
    int at, value;
};

static int places[400], taken;

static void keep(int i) {
#pragma omp critical(places)
    {
        places[taken] = i;
        taken += 1;
    }
}

void append(int n, const int x[n], int list[n], struct pair pairs[n], int back[n], int out[8]) {
    int count = 0, many = 0, sum = 0, left = n, high = 0;
    float weight = 0.0f;
    taken = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (x[i] > 50) {
#pragma omp critical
            {
                list[count++] = i;
                weight += 0.5f;
            }
        } else
            keep(i);
#pragma omp critical(pairs)
        {
            int value = x[i] * 2;
            if (value > 100) high++;
            pairs[many].at = i;
            pairs[many].value = value;
            many++;
            sum += value;
        }
#pragma omp critical(left)
        back[--left] = -i;
    }
    int right = 1, total = 0;
    for (int k = 0; k < count; k++) {
        right &= x[list[k]] > 50;
        total += list[k];
        list[k] = 0;
    }
    out[0] = count;
    out[1] = total * right;
    total = 0;
    for (int k = 0; k < taken; k++)
        total += places[k];
    out[2] = total;
    out[3] = taken;
    total = 0;
    for (int k = 0; k < n; k++) {
        right &= pairs[k].value == x[pairs[k].at] * 2;
        total += pairs[k].at * 2 + back[k];
        pairs[k].at = pairs[k].value = back[k] = 0;
    }
    out[4] = total * right;
    out[5] = sum + many;
    out[6] = high + left;
    out[7] = (int)(weight * 2.0f);
}
