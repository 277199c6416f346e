// Enumerations that `packed` makes numbers of 8 and 16 bits.
// test: -i n=40 -i x=uniform:seed=1
typedef enum __attribute__((packed)) { NONE, LOW, HIGH = 200 } level;
typedef enum { LEFT = -1, RIGHT = 1, FAR = 300 } __attribute__((__packed__)) side;
enum plain { HERE, THERE };
void f(int n, float x[n], int to[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        level a = x[i] < 0.5f ? LOW : HIGH;
        side b = (side)(i * 1000);
        a = (level)(a + i * 9);
        to[i] = a * 1000 + b + (int)(sizeof a * 100 + sizeof(side) * 10 + sizeof(enum plain));
    }
}
