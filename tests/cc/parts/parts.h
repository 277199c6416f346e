#define SIZE 40
struct cell {
    double value, weight;
};
extern double table[5][3];
extern int loud;
void exact(double at, struct cell *out);
void eliminate(double row[SIZE], double factor);
double scale(double v);
double counted(double v);
double mixed(double v);
double weighed(double v);
double doubled(double v);
double halved(double v);
double quarter(double v);
void say(int line);
void fill(int n, double *x);
void rows(double (*a)[SIZE]);
void others(int n, double *x);
