#ifndef VECTOR_H
#define VECTOR_H
#define LENGTH 500
extern float weights[LENGTH];
extern int scale;
void fill(float *x, int n);
float dot(const float *x, const float *y, int n);
#endif
