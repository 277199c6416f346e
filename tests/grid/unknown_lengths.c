// unknown_lengths.c - sequential loops whose lengths the program finds: walkers that copy themselves or die, whose places
// are running sums over as many as there are, and cells of a grid whose width depends on a number. Behind some of
// the loops stand assignments of what the next loops end at.
//
// run: -i room=262144 -i steps=40 -i width=0.004 -i what=uniform:lo=0,hi=4096,seed=1
// test: -i room=3000 -i steps=2 -i width=0.03 -i what=uniform:lo=0,hi=4096,seed=1
// check: exact
// dispatches: 1
void unknown_lengths(int room, int steps, float width, const int what[room], int walker[room], int born[room],
                     int copies[room], int place[room + 1], int cells[room], int first[room + 1], int alive_at[steps]) {
    int alive = room / 2;
#pragma omp parallel for
    for (int i = 0; i < alive; i++)
        walker[i] = what[i];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < alive; i++)
            copies[i] = (walker[i] >> t) % 5 == t % 5 ? 2 : (walker[i] >> (t % 3)) % 7 == 2 ? 0 : 1;
        place[0] = 0;
        for (int i = 0; i < alive; i++)
            place[i + 1] = place[i] + copies[i];
        int left = place[alive] < room ? place[alive] : room;
#pragma omp parallel for
        for (int i = 0; i < alive; i++)
            for (int k = place[i]; k < place[i + 1] && k < room; k++)
                born[k] = walker[i] * 5 % 4096 + k - place[i];
        alive = left;
#pragma omp parallel for
        for (int i = 0; i < alive; i++)
            walker[i] = born[i];
        alive_at[t] = alive;
    }

    int wide = (int)(1.0f / width), few = (int)(width * 300.0f);
    if (wide * wide > room) wide = 1;
#pragma omp parallel for
    for (int c = 0; c < wide * wide; c++)
        cells[c] = 0;
#pragma omp parallel for
    for (int i = 0; i < room; i++) {
#pragma omp atomic
        cells[(unsigned)(what[i] * 7) % (unsigned)(wide * wide)]++;
    }
    first[0] = 0;
    for (int c = 0; c < wide * wide; c++) {
        first[c + 1] = first[c] + cells[c];
        cells[c] = first[c];
    }
#pragma omp parallel for
    for (int i = 0; i < wide; i++)
        born[i] += first[i * wide];
    for (int c = 0; c < few; c++)
        first[c + 1] = first[c] * 3 + cells[c];
#pragma omp parallel for
    for (int i = 0; i < wide; i++)
        born[i] -= first[i];
}
