// Functions by pointers: parameters, handed on, tables, members, variables at file scope; and pointers that lead elsewhere.
// build: -fdouble=pair
// build, too: -fdouble=float
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 2000 };
typedef float (*act_t)(float);
typedef void (*op_t)(float *, const float *, int);
struct layer {
    int n;
    act_t act;
    float *w;
};
static float x[N], y[N];

static float relu(float v) { return v > 0 ? v : 0; }
static float soft(float v) { return v / (1 + fabsf(v)); }
static float twice(float v) { return 2 * relu(v) - soft(v); }
static const act_t acts[] = {relu, soft, twice};
static float (*more[2])(float) = {twice, relu};
static act_t changed[2] = {soft, twice};
static double square(double v) { return v * v; }
static double cubic(double v) { return v * v * v - v; }
static double (*law)(double) = square;
static void scale(float *to, const float *from, int i) { to[i] = from[i] * 2; }
static void shift(float *to, const float *from, int i) { to[i] = from[(i + 1) % N] + 1; }

static double integrate(double (*f)(double), double from, double to, int n) {
    double sum = 0, h = (to - from) / n;
#pragma omp parallel for reduction(+ : sum) // GPU: 5 calls
    for (int i = 0; i < n; i++)
        sum += f(from + (i + 0.5) * h);
    return sum * h;
}
// one that stands behind what calls it
static double late(double v) { return 1 / (1 + v); }

static double newton(double at, double (*f)(double), int steps) {
    for (int k = 0; k < steps; k++)
        at -= (*f)(at) / (((*f)(at + 1e-2) - (*f)(at - 1e-2)) / 2e-2);
    return at;
}
static double by_law(double v) { return law(v) + 1; }

static void each(op_t op, float *to, const float *from) {
#pragma omp parallel for // GPU: 2 calls
    for (int i = 0; i < N; i++)
        op(to, from, i);
}

// a member has the name of a function that calls the region's own
struct chain {
    int pass;
    act_t act;
};
static void along(struct chain *c) {
#pragma omp parallel for // GPU: 2 calls
    for (int i = 0; i < N; i++)
        y[i] = c->act(x[i] / 2) + 1;
}
static void pass(struct chain *c) {
    c->pass++;
    along(c);
}

// tables of structs
static float least(float a, float b) { return a < b ? a : b; }
static float added(float a, float b) { return a + b; }
enum kind_of { ADDED, LEAST, KINDS };
static const struct operation {
    const char *name;
    float (*by)(float, float);
    int weight;
    act_t behind;
} operations[KINDS] = {[LEAST] = {"least", least, 2, relu}, [ADDED] = {.by = &added, .weight = 5, .behind = soft}};
static const struct operation others[] = {{"sum", added, 1, twice}};
static float operate(int which, float a) { return operations[which].by(a, 0.25f) + (float)operations[which].weight; }

// with NULL among them
static const act_t some[3] = {relu, NULL, soft};
static float if_any(act_t act, const float *from, int i) {
    const float *at = NULL;
    if (from != NULL && i % 5) at = from + i;
    return act == NULL || !at ? 1 : act(*at);
}

// the same types in other words
typedef float real;
typedef struct pair_of {
    float a, b;
} pair_of;
typedef float three[3];
typedef unsigned count_t;
static real as_real(real v) { return v + 3; }
__attribute__((noinline)) static float kept(float v) { return v + 5; }
struct spoken {
    act_t act;
    float (*of)(const struct pair_of *, unsigned int, float *, signed long int);
};
static real of_pair(pair_of const *p, count_t k, three v, long l) { return p->a * v[k] + (float)l; }
static real of_other(const pair_of *p, unsigned k, float v[const], signed long l) { return p->b - v[k % 2] * (float)l; }
static const struct spoken spoken[] = {{as_real, of_pair}, {kept, of_other}, {relu, of_pair}};
static float (*const heard[])(float) = {soft, as_real, kept};
static float speak(int i) {
    pair_of p = {x[i], 2};
    float v[3] = {1, x[i], 3};
    return spoken[i % 3].act(x[i]) + spoken[i % 2].of(&p, (unsigned)i % 3, v, i % 7);
}

typedef enum { LOW, HIGH } level;
static float from_level(level v) { return v == HIGH ? 3 : 2; }
static float from_count(unsigned v) { return (float)v + 1; }
static float (*const by_level[])(unsigned) = {from_level, from_count};

// by another type: no call of a region knows them
typedef float (*of_any)(void *);
static float of_float(float *v) { return *v + 1; }
static float of_anything(void *v) { return *(float *)v + 2; }
static const struct any_kind { of_any of; } any_kinds[] = {{(of_any)of_float}, {of_anything}};
static const of_any same_kind[] = {(of_any)of_anything};

// nobody calls these in a region
struct sim {
    int n;
    const struct kind {
        float factor;
        int (*compare)(const void *, const void *);
        act_t act;
    } * kind;
    float *to;
    void (*say)(const char *, ...);
};
static void advance(struct sim *s) {
#pragma omp parallel for // GPU: 3 calls
    for (int i = 0; i < s->n; i++)
        s->to[i] = s->to[i] * s->kind->factor + x[i];
}
static struct rest {
    act_t act;
    long weight;
} rests[3];

// in structs that come from outside: as large there as where functions are numbers
struct rule {
    act_t act;
    long weight;
};
static struct rule rules[2], *own_rules;
static float by(act_t act, float v) { return act(v); }
static float by_rule(int i) { return by(rules[i % 2].act, x[i]) + (float)rules[i % 2].weight; }

static double sum(void) {
    double s = 0;
    for (int i = 0; i < N; i++)
        s += (i % 5 + 1) * y[i];
    return s;
}

int main(int argc, char **argv) {
    int which = argc + 1;
    (void)argv;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 101 - 50) / 25;
    printf("%.5f %.5f\n", integrate(square, 0, 1, 4000), integrate(cubic, 1, 2, 4000));
    printf("%.5f %.5f\n", integrate(late, 0, 1, 4000), integrate(law, 0, 3, 4000));
    printf("%.5f\n", integrate(sin, 0, 1, 4000)); // of math.h
    each(scale, y, x);
    printf("%.3f\n", sum());
    each(shift, y, x);
    printf("%.3f\n", sum());
    act_t act = which == 2 ? soft : relu;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = act(x[i]) + (acts[i % 3])(x[i]) + ((*more[i & 1]))(x[i]);
    printf("%.3f\n", sum());
    struct layer l = {N, twice, x};
#pragma omp parallel for // GPU
    for (int i = 0; i < l.n; i++)
        y[i] = l.act(l.w[i]);
    printf("%.3f\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        double (*f)(double) = i % 2 ? cubic : &square;
        y[i] = (float)(newton(1.5 + 0.01 * (i % 7), i % 3 ? cubic : square, 3) + f(x[i]));
    }
    printf("%.1f\n", sum());
    struct chain c = {0, NULL};
    for (int k = 0; k < 2; k++) {
        c.act = k ? relu : twice;
        pass(&c);
        printf("%d %.3f\n", c.pass, sum());
    }
    for (int k = 0; k < 2; k++) {
        law = k ? cubic : square;
#pragma omp parallel for // GPU: 2 calls
        for (int i = 0; i < N; i++)
            y[i] = (float)by_law(x[i]);
        printf("%.3f\n", sum());
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = operate(i % KINDS, x[i]) + operations[(i / 2) % 2].behind(x[i]) - (*others[0].by)(x[i], others->weight);
    printf("%.3f\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        const struct operation *o = &operations[i % KINDS];
        y[i] = o->by(x[i], 0.5f) * (i % 3 ? o->behind(x[i]) : o[0].behind(1));
    }
    printf("%.3f\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = if_any(some[i % 3], x, i) + if_any(NULL, x, i);
    printf("%.3f\n", sum());
#pragma omp parallel for // CPU: sizeof of what has pointers to functions in it
    for (int i = 0; i < N; i++)
        y[i] = acts[i % 3](x[i]) + (float)sizeof(act_t);
#pragma omp parallel for // CPU: sizeof of what has pointers to functions in it
    for (int i = 0; i < N; i++)
        y[i] += acts[i % 3](x[i]) + (float)sizeof(struct operation);
    printf("%.3f\n", sum());
#pragma omp parallel for // CPU: sizeof of what has pointers to functions in it
    for (int i = 0; i < N; i++) {
        const struct operation *o = &operations[i % KINDS];
        y[i] = o->by(x[i], 1) + (float)sizeof *o;
    }
    printf("%.3f\n", sum());
#pragma omp parallel for // CPU: offsetof of what has pointers to functions in it
    for (int i = 0; i < N; i++)
        y[i] = operate(i % KINDS, x[i]) + (float)offsetof(struct operation, behind);
    printf("%.3f\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = speak(i) + heard[i % 3](x[i]);
    printf("%.3f\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        float (*f)(float) = i % 2 ? as_real : kept;
        y[i] = f(x[i]);
    }
    printf("%.3f\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = by_level[i % 2]((unsigned)i % 2);
    printf("%.3f\n", sum());
#pragma omp parallel for // CPU: call 'of_float' directly
    for (int i = 0; i < N; i++)
        y[i] = any_kinds[i % 2].of(&x[i]);
    printf("%.3f\n", sum());
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = same_kind[0](&x[i]);
    printf("%.3f\n", sum());
    struct kind kind = {.factor = 0.5f, .act = relu};
    struct sim sim = {.n = N, .kind = &kind, .to = y};
    for (int k = 0; k < 3; k++) {
        advance(&sim);
        printf("%.3f\n", sum());
    }
    for (int k = 0; k < 3; k++)
        rests[k] = (struct rest){twice, k};
#pragma omp parallel for // GPU
    for (int k = 0; k < 3; k++)
        rests[k].weight += k;
    printf("%ld %.3f\n", rests[2].weight, rests[2].act(3));
    own_rules = rules;
    rules[0] = (struct rule){relu, 1};
    rules[1] = (struct rule){soft, 3};
#pragma omp parallel for // CPU: 'rules' has structs that hold pointers to functions
    for (int i = 0; i < N; i++)
        y[i] = by(rules[i % 2].act, x[i]) + (float)rules[i % 2].weight;
    printf("%.3f\n", sum());
#pragma omp parallel for // CPU: has structs that hold pointers to functions
    for (int i = 0; i < N; i++)
        y[i] = by_rule(i);
    printf("%.3f\n", sum());
#pragma omp parallel for // CPU: 'own_rules' has structs that hold pointers to functions
    for (int i = 0; i < N; i++)
        y[i] = by(own_rules[i % 2].act, x[i]);
    printf("%.3f\n", sum());
    changed[1] = relu;
#pragma omp parallel for // CPU: 'changed' leads to pointers to functions
    for (int i = 0; i < N; i++)
        y[i] = changed[i % 2](x[i]);
    printf("%.3f\n", sum());
    act = NULL;
#pragma omp parallel for // CPU at run time: 'act' leads to no function that this file declares in front of the region
    for (int i = 0; i < N; i++)
        y[i] = i < N && act ? act(x[i]) : 1;
    printf("%.3f\n", sum());
#pragma omp parallel for // CPU
    for (int i = 0; i < N; i++) {
        act = relu;
        y[i] = act(x[i]);
    }
    printf("%.3f\n", sum());
    return 0;
}
