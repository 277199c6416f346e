// build: -fdouble=pair
// Structs that a pragma or an attribute lays out in another way than C does, and those between them.
#include <stdio.h>
#include <stdlib.h>

#pragma pack(push, 1)
struct record {
    char kind;
    int value;
    double weight;
};
#pragma pack(pop)
struct plain {
    int value;
    double weight;
};

int main(void) {
    enum { N = 400 };
    struct record *records = malloc(N * sizeof *records);
    struct plain *plains = malloc(N * sizeof *plains);
    for (int i = 0; i < N; i++)
        records[i] = (struct record){(char)(i % 3), i, 0.25 * i};
#pragma omp parallel for // CPU: `packed`, `aligned` and `#pragma pack`
    for (int i = 0; i < N; i++)
        plains[i] = (struct plain){records[i].value, records[i].weight};
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < N; i++)
        sum += plains[i].weight * plains[i].value;
    printf("%g %d\n", sum, (int)sizeof *records);
    return 0;
}
