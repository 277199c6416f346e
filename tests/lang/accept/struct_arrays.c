// Entry arrays of structs: fields of one type (a .npy of shape [n][2] at the command line), read, written and copied whole.
// test: -i n=50 -i steps=4 -i start=uniform:lo=-1,hi=1,seed=1
// check: exact
struct body {
    float position, speed;
};

void move(int n, int steps, const struct body start[n], struct body bodies[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct body b = start[i];
        for (int t = 0; t < steps; t++) {
            b.position += b.speed * 0.5f;
            if (b.position > 1.0f || b.position < -1.0f)
                b.speed = -b.speed;
        }
        bodies[i] = b;
        bodies[i].speed *= 2.0f;
        struct body *p = &bodies[i];
        p->position += p->speed;
    }
}
