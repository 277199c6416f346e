// Atomic updates of fields of structs that mix types.
// test: -i n=300 -i key=uniform:lo=0,hi=6,seed=3 -i x=uniform:lo=-40,hi=40,seed=4
// check: exact
struct cell {
    int count;
    float mass, most;
    unsigned seen;
    int low;
};

void atomic_fields(int n, const int key[n], const int x[n], struct cell cell[7], float before[n], int out[2]) {
    struct cell all = {0, 0.0f, 0.0f, 0u, 100};
    for (int k = 0; k < 7; k++)
        cell[k] = all;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = key[i];
        struct cell *own = &cell[k];
#pragma omp atomic
        cell[k].count++;
#pragma omp atomic
        cell[k].mass += 0.5f * (float)x[i];
#pragma omp atomic update
        own->most = own->most - 0.25f;
#pragma omp atomic
        own->seen |= 1u << (x[i] & 15);
#pragma omp atomic compare
        if (x[i] < own->low) {
            own->low = x[i];
        }
#pragma omp atomic
        all.mass += (float)x[i];
#pragma omp critical
        {
            all.count++;
            all.most -= 2.0f;
        }
    }
    out[0] = (int)all.mass + all.count;
    out[1] = (int)all.most;
    // Who comes when is open, but each finds another value.
    for (int i = 0; i < n; i++)
        before[i] = 0.0f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float old;
#pragma omp atomic capture
        {
            old = cell[0].most;
            cell[0].most = cell[0].most + 1.0f;
        }
        int place = (int)(4.0f * (old - (float)(int)old)) & 3; // of quarters, the same for all
        before[i] = (float)place;
    }
    float given = 0.0f; // all that was there, but for what is there now
#pragma omp parallel for reduction(+ : given)
    for (int i = 0; i < n; i++) {
        float old;
#pragma omp atomic capture
        {
            old = cell[1].most;
            cell[1].most = (float)i;
        }
        given += old;
    }
    cell[1].most += given;
}
