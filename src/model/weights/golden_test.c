// The whole way from a file to a decoder's answers: a plain decoder in floats runs models/tiny from what the room read,
// and gives the logits and tokens that transformers gave (golden.json).
#include "check.h"
#include "model/file/json_checked.h"
#include "model/weights/weights.h"

enum { CONTEXT = 128 };

static struct model_config c;
static struct model_weights weights;
static float *tables[8][MODEL_ROLES]; // [layer][role]
static float keys[8][CONTEXT][256], values[8][CONTEXT][256];

static float *table_of(enum model_role role, uint32_t layer) {
    const struct model_weight *w = model_weight_of(&weights, role, layer);
    float *out = malloc(w->rows * w->columns * sizeof *out);
    CHECK(w->tensor && model_weight_f32(w, 0, w->rows, out));
    return out;
}

static void product(const float *w, const float *bias, const float *x, uint32_t rows, uint32_t columns, float *out) {
    for (uint32_t r = 0; r < rows; r++) {
        float sum = bias ? bias[r] : 0;
        for (uint32_t i = 0; i < columns; i++)
            sum += w[(size_t)r * columns + i] * x[i];
        out[r] = sum;
    }
}

static void norm(const float *x, const float *w, float *out) {
    float sum = 0;
    for (uint32_t i = 0; i < c.hidden; i++)
        sum += x[i] * x[i];
    float by = 1 / sqrtf(sum / (float)c.hidden + (float)c.rms_eps);
    for (uint32_t i = 0; i < c.hidden; i++)
        out[i] = x[i] * by * w[i];
}

static void rotate(float *x, uint32_t heads, int position) {
    uint32_t half = c.head_size / 2;
    for (uint32_t h = 0; h < heads; h++, x += c.head_size)
        for (uint32_t i = 0; i < half; i++) {
            float angle = (float)position * weights.rope[i], a = x[i], b = x[i + half];
            x[i] = a * cosf(angle) - b * sinf(angle);
            x[i + half] = b * cosf(angle) + a * sinf(angle);
        }
}

static void attend(uint32_t layer, const float *q, int position, float *out) {
    uint32_t shared = c.heads / c.kv_heads;
    memset(out, 0, c.hidden * sizeof *out);
    for (uint32_t h = 0; h < c.heads; h++) {
        uint32_t at = h / shared * c.head_size;
        float scores[CONTEXT], most = -INFINITY, sum = 0;
        for (int p = 0; p <= position; p++) {
            scores[p] = 0;
            for (uint32_t i = 0; i < c.head_size; i++)
                scores[p] += q[h * c.head_size + i] * keys[layer][p][at + i];
            scores[p] /= sqrtf((float)c.head_size);
            most = fmaxf(most, scores[p]);
        }
        for (int p = 0; p <= position; p++)
            sum += scores[p] = expf(scores[p] - most);
        for (int p = 0; p <= position; p++)
            for (uint32_t i = 0; i < c.head_size; i++)
                out[h * c.head_size + i] += scores[p] / sum * values[layer][p][at + i];
    }
}

static void decode(uint32_t token, int position, float *logits) {
    float x[256], y[256], q[256], z[256], gate[704], up[704];
    memcpy(x, tables[0][MODEL_EMBED] + (size_t)token * c.hidden, sizeof x);
    for (uint32_t l = 0; l < c.layers; l++) {
        float **t = tables[l];
        uint32_t kv = c.kv_heads * c.head_size;
        norm(x, t[MODEL_ATTENTION_NORM], y);
        product(t[MODEL_Q], t[MODEL_Q_BIAS], y, c.hidden, c.hidden, q);
        product(t[MODEL_K], t[MODEL_K_BIAS], y, kv, c.hidden, keys[l][position]);
        product(t[MODEL_V], t[MODEL_V_BIAS], y, kv, c.hidden, values[l][position]);
        rotate(q, c.heads, position);
        rotate(keys[l][position], c.kv_heads, position);
        attend(l, q, position, z);
        product(t[MODEL_O], NULL, z, c.hidden, c.hidden, y);
        for (uint32_t i = 0; i < c.hidden; i++)
            x[i] += y[i];
        norm(x, t[MODEL_FFN_NORM], y);
        product(t[MODEL_GATE], NULL, y, c.intermediate, c.hidden, gate);
        product(t[MODEL_UP], NULL, y, c.intermediate, c.hidden, up);
        for (uint32_t i = 0; i < c.intermediate; i++)
            gate[i] *= up[i] / (1 + expf(-gate[i]));
        product(t[MODEL_DOWN], NULL, gate, c.hidden, c.intermediate, y);
        for (uint32_t i = 0; i < c.hidden; i++)
            x[i] += y[i];
    }
    norm(x, tables[0][MODEL_FINAL_NORM], y);
    product(tables[0][MODEL_HEAD], NULL, y, c.vocab, c.hidden, logits);
}

static uint32_t largest(const float *logits) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < c.vocab; i++)
        if (logits[i] > logits[best]) best = i;
    return best;
}

static void check_prompt(yyjson_val *one) {
    static float logits[4096];
    yyjson_val *ids = yyjson_obj_get(one, "greedy_ids"), *top = yyjson_obj_get(one, "top_logits");
    uint32_t prompt = (uint32_t)yyjson_arr_size(yyjson_obj_get(one, "prompt_ids")), token = 0;
    for (uint32_t p = 0; p < yyjson_arr_size(ids); p++) {
        token = p < prompt ? (uint32_t)yyjson_get_uint(yyjson_arr_get(ids, p)) : largest(logits);
        CHECK_EQ_INT(yyjson_get_int(yyjson_arr_get(ids, p)), token);
        decode(token, (int)p, logits);
        for (size_t i = 0; p + 1 == prompt && i < yyjson_arr_size(top); i++) {
            yyjson_val *pair = yyjson_arr_get(top, i);
            double got = (double)logits[yyjson_get_uint(yyjson_arr_get(pair, 0))];
            CHECK_NEAR(yyjson_get_real(yyjson_arr_get(pair, 1)), got, 2e-2);
        }
    }
}

static void check_all(struct model_work *w, void *arg) {
    (void)arg;
    yyjson_val *root = model_json_read(w, "models/tiny/golden.json", NULL);
    CHECK_EQ_INT(4, yyjson_arr_size(root));
    for (size_t i = 0; i < 4; i++)
        check_prompt(yyjson_arr_get(root, i));
}

TEST(tiny_gives_the_golden_tokens) {
    struct model_file *file;
    struct whorl_error err;
    struct model_work w;
    CHECK_EQ_INT(WHORL_OK, model_file_open("models/tiny", &file, &err));
    CHECK_EQ_INT(WHORL_OK, model_config_read("models/tiny", file, &c, &err));
    CHECK_EQ_INT(WHORL_OK, model_weights_open(file, &c, &weights, &err));
    for (uint32_t l = 0; l < c.layers; l++)
        for (int r = 0; r < MODEL_ROLES; r++)
            if (weights.table[l * MODEL_ROLES + (uint32_t)r].tensor) tables[l][r] = table_of((enum model_role)r, l);
    model_work_init(&w, "golden.json");
    CHECK_EQ_INT(WHORL_OK, model_work_run(&w, &err, check_all, NULL));
    model_work_deinit(&w);
    for (uint32_t l = 0; l < c.layers; l++)
        for (int r = 0; r < MODEL_ROLES; r++)
            free(tables[l][r]);
    model_weights_close(&weights);
    model_file_close(file);
}
