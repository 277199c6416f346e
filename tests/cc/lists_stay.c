// Critical sections that look like appending to a list, and are more.
#include <stdio.h>

#define MOST 1000
static int x[MOST], out[MOST], other[MOST], next[MOST], n = MOST;

static int sum(const int *list, int count) {
    int s = 0;
    for (int i = 0; i < count; i++)
        s += list[i];
    return s;
}

static void counters(void) {
    int many = 0, few = 0, room = 100;
#pragma omp parallel for          // CPU: this 'critical' is for the CPU alone
    for (int i = 0; i < n; i++) { // where the second list is known to begin is a place of the first
#pragma omp critical
        {
            out[many++] = few;
            few += x[i];
        }
    }
    printf("%d %d\n", many, few);
    many = few = 0;
#pragma omp parallel for // CPU: this 'critical'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            out[many++] = i;
            if (x[i] > 4) other[few++] = i; // in the order of the first
        }
    }
    printf("%d %d\n", many, few);
    many = 0;
#pragma omp parallel for // CPU: this 'critical'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            if (many < room) out[many++] = i, room -= i % 3 == 0; // a limit that changes
        }
    }
    printf("%d %d\n", many > 0, room < 100);
    many = 0;
#pragma omp parallel for // CPU: this 'critical'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            if (many < x[i] + 50) out[many++] = i; // one of the iteration
        }
    }
    printf("%d\n", many >= 50);
    many = 0;
#pragma omp parallel for // CPU: this 'critical'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            out[many] = i;
            many++;
        }
#pragma omp critical
        many -= 0;
    }
    printf("%d %d\n", many, sum(out, many));
}

static void lists(void) {
    int many = 0, head = -1;
#pragma omp parallel for // CPU: this 'critical'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            next[i] = head;
            head = i;
        }
    }
    int length = 0;
    for (int i = head; i >= 0; i = next[i])
        length++;
    printf("%d\n", length);
#pragma omp parallel for // CPU: this 'critical'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            out[many] = many ? out[many - 1] + x[i] : x[i];
            many++;
        }
    }
    printf("%d %d\n", many, out[many - 1]);
    many = 0;
#pragma omp parallel for // CPU: this 'critical'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            int *place = out + many;
            *place = i;
            many++;
        }
    }
    printf("%d %d\n", many, sum(out, many));
    many = 0;
#pragma omp parallel for // CPU: this 'critical'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            int last = many > 0 ? out[0] : 0; // what another iteration appended
            out[many++] = last * 0 + i;
        }
    }
    printf("%d %d\n", many, sum(out, many));
}

static int passed;
static int half_of_passed(void) { return passed / 2; }

static void names(void) {
    int over = 0, *again = &passed;
#pragma omp parallel for // CPU: this 'critical' changes 'passed' and uses it by another name
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            passed += 1;
            over += half_of_passed();
        }
    }
    printf("%d %d\n", passed, over);
#pragma omp parallel for // CPU at run time: 'again' points to 'passed'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            passed += 1;
            over += *again;
        }
    }
    printf("%d %d\n", passed, over);
}

// Sections that look at what others change, and would see half of it.
static int low, high;
static void look(int i) {
#pragma omp critical
    other[i] = high - low;
}
static void others(void) {
    int between = 0, many = 0;
#pragma omp parallel for // CPU: uses 'high', which another one in the loop changes
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            low += x[i];
            high += x[i];
        }
#pragma omp critical
        between += high - low;
    }
#pragma omp parallel for // CPU: uses 'high', which another one in the loop changes
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            low += x[i];
            high += x[i];
        }
#pragma omp critical
        out[many++] = high - low;
    }
    printf("%d %d\n", between, sum(out, n));
#pragma omp parallel for // CPU: this 'critical'
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            low += x[i];
            high += x[i];
        }
        look(i);
    }
    printf("%d %d\n", low == high, sum(other, n));
    long at = 0;
#pragma omp parallel for // CPU: this 'critical' is for the CPU alone
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            if (x[i] > 4)
                out[at++] = i;
            else
                other[at++] = i;
        }
    }
    printf("%ld\n", at);
}

int main(void) {
    for (int i = 0; i < n; i++)
        x[i] = i * 7 % 10;
    counters();
    lists();
    names();
    others();
    return 0;
}
