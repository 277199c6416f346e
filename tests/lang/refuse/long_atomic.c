// An atomic update of a 64-bit integer that wants the value before: its words are updated one after the other.
// test: -i n=16
// error: 7:13: this atomic update of type 'long': no device updates two words at once, so it can add, subtract and combine by & | ^, and capture nothing
void f(int n, long total[1], long place[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic capture
        place[i] = total[0]++;
    }
}
