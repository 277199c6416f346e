// A filter along each channel, then what it leaves is pulled in: neighbours within a channel only.
// run: -i channels=2048 -i length=1024 -i steps=30 -i x=normal:seed=1 -i tap=normal:sd=0.2,seed=2
// test: -i channels=13 -i length=77 -i steps=4 -i x=normal:seed=1 -i tap=normal:sd=0.2,seed=2
// check: abs 1e-4
// dispatches: 1
void channel_filter(int channels, int length, int steps, float x[channels][length], const float tap[channels][5]) {
    float y[channels][length], energy[channels];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < length; i++) {
                float sum = 0.0f;
                for (int k = 0; k < 5; k++)
                    sum += i >= k ? tap[c][k] * x[c][i - k] : 0.0f;
                y[c][i] = sum;
            }
#pragma omp parallel for
        for (int c = 0; c < channels; c++) {
            float sum = 0.0f;
            for (int i = 0; i < length; i++)
                sum += y[c][i] * y[c][i];
            energy[c] = sum / (float)length;
        }
#pragma omp parallel for collapse(2)
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < length; i++)
                x[c][i] = 0.9f * x[c][i] + 0.1f * y[c][i] / (1.0f + energy[c]);
    }
}
