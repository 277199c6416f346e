int omp_get_thread_num(void), omp_get_num_threads(void);
float part[8], x[9];
int all[99], key[9];
void f(int n) {
#pragma omp parallel num_threads(4)
    {
        int id = omp_get_thread_num(), *own = all + id * 9, i;
        for (i = id, part[id] = 0; i < n; i += omp_get_num_threads())
            part[id] += x[i];
#pragma omp for schedule(static, 2)
        for (i = 0; i <= n; i += 3)
            ++own[key[i]];
    }
}
