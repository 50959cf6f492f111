/* What the fire of some shooters makes of a target, in compiled code: see rounds.c.

   The chances of a target's outcomes are found for some shooters abreast, as those are asked for soon after. */

#include "rounds.h"

struct abreast {
    double *table;                     /* the chances: [block of shooters, place, shooter] */
    double *chance;                    /* of the block that is known: for each target [shooter, outcome] */
    double *harmed;                    /* the chance that a target loses something: [target, shooter] */
    whole *block;                      /* 1 + the block of each target, or 0 */
};

static void forget(fire *f) {
    if (!f || !f->known) return;
    free(f->known->table), free(f->known->chance), free(f->known->harmed), free(f->known->block), free(f->known);
    f->known = NULL;
}

/* Make room for what is found about some fire at so many nodes, and put the chances of a block side by side. */
static int prepare(fire *f, whole nodes) {
    if (!f || f->known) return 1;
    const whole blocks = (f->shooters + ABREAST - 1) / ABREAST, size = ABREAST * f->width;
    abreast *k = f->known = calloc(1, sizeof *k);
    if (!k) return 0;
    k->table = calloc((size_t)(blocks * size + 1), sizeof(double));
    k->chance = malloc(sizeof(double) * (size_t)(ABREAST * f->first_outcome[nodes] + 1));
    k->harmed = malloc(sizeof(double) * (size_t)(ABREAST * nodes));
    k->block = calloc((size_t)nodes, sizeof(whole));
    if (!k->table || !k->chance || !k->harmed || !k->block) return 0;
    for (whole shooter = 0; shooter < f->shooters; shooter++) {
        double *to = k->table + shooter / ABREAST * size + shooter % ABREAST;
        const double *from = f->chances + shooter * f->width;
        for (whole place = 0; place < f->width; place++) to[ABREAST * place] = from[place];
    }
    return 1;
}

/* Find what a block of shooters makes of a target. */
static void find_block(const fire *f, whole number, whole target) {
    const whole begin = f->first_outcome[target], count = f->first_outcome[target + 1] - begin;
    const small *one = f->factor[0], *other = f->factor[1];
    const lanes *table = (const lanes *)(f->known->table + number * ABREAST * f->width);
    double *chance = f->known->chance + ABREAST * begin;
    lanes harmed = {0};
    for (whole outcome = 0; outcome < count; outcome++) {
        const whole stop = f->outcome[begin + outcome + 1];
        lanes sum = {0};
        for (whole way = f->outcome[begin + outcome]; way < stop; way++) {
            lanes product = table[f->place[way]];
            if (one) product *= table[one[way]];
            if (other) product *= table[other[way]];
            sum += product;
        }
        for (int at = 0; at < ABREAST; at++) chance[at * count + outcome] = sum[at];
        if (outcome) harmed += sum;
    }
    *(lanes *)(f->known->harmed + ABREAST * target) = harmed;
    f->known->block[target] = number + 1;
}

void find_outcomes(outcomes *found, const fire *f, whole shooter, whole target, double *work) {
    if (!f) {
        found->always = found->unharmed = 1, found->harmed = 0;
        found->itself = target, found->after = &found->itself, found->chance = &found->always, found->count = 1;
        return;
    }
    const whole begin = f->first_outcome[target], row = f->row[shooter], at = row % ABREAST;
    if (f->known->block[target] != row / ABREAST + 1) find_block(f, row / ABREAST, target);
    found->count = f->first_outcome[target + 1] - begin, found->after = f->after + begin;
    found->chance = f->known->chance + ABREAST * begin + at * found->count;
    found->unharmed = found->chance[0], found->harmed = f->known->harmed[ABREAST * target + at];
    *work += A_WAY * (double)(f->first[target + 1] - f->first[target]);
}

/* Prepare the fire of both sides; note the most outcomes of a row. */
static int prepare_pair(const field *f, const fire_pair *pair, whole *rows) {
    for (whole row = 0; row < f->rows && pair->at_rows; row++)
        if (outcomes_of(pair->at_rows, row) > *rows) *rows = outcomes_of(pair->at_rows, row);
    return prepare(pair->at_columns, f->columns) && prepare(pair->at_rows, f->rows);
}

static void forget_pair(const fire_pair *pair) { forget(pair->at_columns), forget(pair->at_rows); }

int make_room(room *r, const field *f, whole payoffs) {
    whole rows = 1;
    int made = 1;
    for (const meeting *m = f->meetings; m < f->meetings + f->row_kinds * f->kinds; m++) {
        made = made && prepare_pair(f, &m->strike, &rows);
        for (int layer = 0; layer < MOST_LAYERS; layer++) made = made && prepare_pair(f, m->salvo + layer, &rows);
    }
    memset(r, 0, sizeof *r);
    const size_t heap_size = (size_t)(f->columns * stride_of(rows) * payoffs);
    r->weight = malloc(sizeof(double) * (size_t)stride_of(rows));
    r->here.mass = calloc(heap_size, sizeof(double));
    r->between.mass = calloc(heap_size, sizeof(double));
    r->here.low = r->between.low = f->columns;
    return made && r->weight && r->here.mass && r->between.mass;
}

void clear_room(room *r, const field *f) {
    for (const meeting *m = f->meetings; m < f->meetings + f->row_kinds * f->kinds; m++) {
        forget_pair(&m->strike);
        for (int layer = 0; layer < MOST_LAYERS; layer++) forget_pair(m->salvo + layer);
    }
    free(r->weight), free(r->here.mass), free(r->between.mass);
}
