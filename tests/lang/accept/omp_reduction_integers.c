// reduction of integers with every operator, several variables and clauses in one directive, onto a starting value.
// test: -i n=40000
// check: exact
void reduce(int n, int out[10], unsigned bits[4]) {
    int sum = 100, difference = 5, product = 1, low = 1 << 30, high = -5, all = 1, any = 0;
    unsigned both = ~0u, either = 0u, parity = 1u;
#pragma omp parallel for reduction(+ : sum) reduction(- : difference) reduction(* : product) reduction(min : low) \
    reduction(max : high) reduction(&& : all) reduction(|| : any) reduction(& : both) reduction(| : either)         \
    reduction(^ : parity)
    for (int i = 0; i < n; i++) {
        int h = (int)((unsigned)i * 2654435761u >> 12) - 300000;
        sum += h;
        difference -= i;
        product *= i % 100 == 99 ? 3 : 1;
        low = h < low ? h : low;
        if (h > high)
            high = h;
        all = all && h < 800000;
        any = any || h == 12345;
        both &= (unsigned)i | 0xf0u;
        either |= (unsigned)i;
        parity ^= (unsigned)h;
    }
    out[0] = sum;
    out[1] = difference;
    out[2] = product;
    out[3] = low;
    out[4] = high;
    out[5] = all;
    out[6] = any;
    int first = 0, second = 0;
#pragma omp parallel for reduction(+ : first, second)
    for (int i = 0; i < n; i++) {
        first++;
        second += i % 3 == 0;
    }
    out[7] = first;
    out[8] = second;
    out[9] = first * second;
    bits[0] = both;
    bits[1] = either;
    bits[2] = parity;
}
