#pragma omp parallel
void f(void) { 
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < 3; i++) {
#pragma omp barrier
#pragma omp for
  for (int j = 0; j < 3; j++) ;
}
}
