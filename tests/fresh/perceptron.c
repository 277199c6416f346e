// A small neural network, two hidden layers and a softmax, evaluated for many inputs: class, confidence, and over all inputs the mean
// cross entropy and how many labels were hit.
// run: -i n=20000 -i x=normal:seed=1 -i label=uniform:lo=0,hi=5,seed=2
// run: -i w1=normal:sd=0.3,seed=3 -i b1=normal:sd=0.1,seed=4 -i w2=normal:sd=0.25,seed=5 -i b2=normal:sd=0.1,seed=6
// run: -i w3=normal:sd=0.4,seed=7 -i b3=normal:sd=0.1,seed=8
// test: -i n=150 -i x=normal:seed=1 -i label=uniform:lo=0,hi=5,seed=2
// test: -i w1=normal:sd=0.3,seed=3 -i b1=normal:sd=0.1,seed=4 -i w2=normal:sd=0.25,seed=5 -i b2=normal:sd=0.1,seed=6
// test: -i w3=normal:sd=0.4,seed=7 -i b3=normal:sd=0.1,seed=8
// check: abs 1e-4
// check: class exact
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { IN = 12, HIDDEN1 = 24, HIDDEN2 = 16, CLASSES = 5 };
enum activation { LINEAR, RELU, GELU, TANH };

struct certainty {
    float probability;
    float margin; // to the second best
};

static inline float activate(float v, enum activation a) {
    switch (a) {
    case RELU:
        return v > 0.0f ? v : 0.0f;
    case GELU:
        return 0.5f * v * (1.0f + erff(v * 0.70710678f));
    case TANH:
        return tanhf(v);
    default:
        return v;
    }
}

// out = activation(w in + b); w has one row an output.
static void dense(int inputs, int outputs, const float *w, const float *b, const float *in, float *out,
                  enum activation a) {
    for (int o = 0; o < outputs; o++, w += inputs) {
        float sum = b[o];
        for (int i = 0; i < inputs; i++)
            sum += w[i] * in[i];
        out[o] = activate(sum, a);
    }
}

static float softmax(float *v, int count) {
    float top = v[0];
    for (float *p = v + 1; p < v + count; p++)
        if (*p > top)
            top = *p;
    float sum = 0.0f;
    for (int i = 0; i < count; i++)
        sum += v[i] = expf(v[i] - top);
    for (int i = 0; i < count; i++)
        v[i] /= sum;
    return top + logf(sum);
}

// The class, and through a pointer how sure that is.
static int best_of(const float p[CLASSES], struct certainty *sure) {
    int best = -1;
    float first = -1.0f, second = -1.0f;
    for (int c = 0; c < CLASSES; c++) {
        if (p[c] > first) {
            second = first;
            first = p[c];
            best = c;
        } else if (p[c] > second)
            second = p[c];
    }
    *sure = (struct certainty){.probability = first, .margin = first - second};
    return best;
}

void perceptron(int n, const float x[n][IN], const uint8_t label[n], const float w1[HIDDEN1][IN],
                const float b1[HIDDEN1], const float w2[HIDDEN2][HIDDEN1], const float b2[HIDDEN2],
                const float w3[CLASSES][HIDDEN2], const float b3[CLASSES], int class[n], struct certainty sure[n],
                float probability[n][CLASSES], float loss[1], int hits[1]) {
    float entropy = 0;
    int right = 0;
#pragma omp parallel for reduction(+ : entropy, right)
    for (int i = 0; i < n; i++) {
        float ping[HIDDEN1 > HIDDEN2 ? HIDDEN1 : HIDDEN2], pong[HIDDEN2], p[CLASSES];
        dense(IN, HIDDEN1, &w1[0][0], b1, x[i], ping, GELU);
        dense(HIDDEN1, HIDDEN2, &w2[0][0], b2, ping, pong, TANH);
        // the skip connection: the first layer's last units, rectified
        for (int k = 0; k < HIDDEN2; k++)
            pong[k] += activate(ping[k + HIDDEN1 - HIDDEN2], RELU);
        dense(HIDDEN2, CLASSES, *w3, b3, pong, p, LINEAR);
        const float logit = p[label[i]];
        const float log_sum = softmax(p, CLASSES);
        memcpy(probability[i], p, sizeof p);
        class[i] = best_of(p, &sure[i]);
        entropy += log_sum - logit;
        right += class[i] == label[i];
    }
    *loss = entropy / n;
    *hits = right;
}
