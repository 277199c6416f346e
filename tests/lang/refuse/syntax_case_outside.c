// case outside of a switch.
// test: -i n=16
// error: 7:9: 'case' statement not in switch
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        case 1:
            x[i] = 1.0f;
    }
}
