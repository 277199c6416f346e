# 1 "local_types.c"

struct pair {
    float first;
    int second;
};
static struct pair pairs[20];

int main(void) {
    enum { COUNT = 20, HALF = COUNT / 2 };
    enum mode { LOW = 3, HIGH } mode = HIGH;
    typedef float number;
    float x[COUNT];
#pragma omp parallel for // GPU
    for (int i = 0; i < COUNT; i++) {
        number half = (number)i / 2;
        x[i] = i < HALF ? half : -half;
    }
#pragma omp parallel for // CPU: the type of 'mode' has no name
    for (int i = 0; i < 20; i++)
        x[i] += mode == LOW ? 1 : 2;
    {
        struct pair {
            int second;
            float first;
        } other[20];
#pragma omp parallel for // CPU: struct pair is declared inside of a function
        for (int i = 0; i < 20; i++) {
            other[i].second = i;
            other[i].first = x[i];
        }
        for (int i = 0; i < 20; i++)
            pairs[i].first = other[i].first + (float)other[i].second;
    }
    printf("%.2f %.2f %.2f\n", (double)x[7], (double)x[17], (double)pairs[5].first);
    return 0;
}
