int list[9], x[9], count, total;
void f(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical(list)
        {
            if (x[i] > 2) {
                list[count++] = i;
                total += x[i];
            } else {
                list[count] = x[i];
                count += 1;
            }
        }
    }
}
