extern double room[32], kept[32];
#pragma omp threadprivate(room, kept)
void fill(int n, double *x);
void fill_kept(int n, double *x);
void look(int n, double *x);
void set_room(int from);
