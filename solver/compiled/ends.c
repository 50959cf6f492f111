/* The ends of a battle that was fought in one call: the fates of both sides, the money, and the chances of all of it. */

#include "battle.h"

enum { TAKEN = 1, ATTACKERS = 2, DEFENDERS = 4, STANDOFF = 8, FIGHT = 16, FIGURES = 18, MANY = 4 };

/* What is left of a side: different numbers of units of each kind. */
typedef struct {
    const side *s;
    whole count, room;
    whole *left;                       /* units, and whether they have left the fight: [fate, kind] */
    whole *of_node;                    /* 1 + the fate of each node, and that if its units leave or are lost at once */
    whole *table;                      /* 1 + the fate that stands at each place of a table of `room` places */
    double *chances;
} fates;

static int make_fates(battle *b, const side *s, fates *f) {
    f->s = s, f->count = 0;
    for (f->room = 16; f->room < 5 * s->nodes; f->room *= 2) continue;
    f->left = room_for(&b->memory, sizeof(whole) * (size_t)((2 * s->nodes + 1) * (s->kinds + 1)));
    f->of_node = room_for(&b->memory, sizeof(whole) * (size_t)(2 * s->nodes));
    f->table = room_for(&b->memory, sizeof(whole) * (size_t)f->room);
    f->chances = room_for(&b->memory, sizeof(double) * (size_t)(2 * s->nodes + 1));
    return b->memory.failed ? OUT_OF_MEMORY : 0;
}

/* The fate of a force whose units stay, have left the fight, or are all lost. */
static whole fate_of(fates *f, whole node, whole gone, whole lost) {
    whole *known = f->of_node + 2 * node + (gone | lost);
    if (*known) return *known - 1;
    const side *s = f->s;
    const whole width = s->kinds + 1, *active = s->active + node * s->segments;
    whole *left = f->left + f->count * width;
    memset(left, 0, sizeof(whole) * (size_t)width);
    for (whole at = 0; at < s->segments && !lost; at++)
        if (s->kind[at] >= 0) left[s->kind[at]] += active[at], left[s->kinds] |= gone && active[at];
    uint64_t hash = 14695981039346656037u;
    for (whole kind = 0; kind < width; kind++) hash = (hash ^ (uint64_t)left[kind]) * 1099511628211u;
    whole place = (whole)((hash ^ hash >> 29) & (uint64_t)(f->room - 1));
    while (f->table[place] && memcmp(f->left + (f->table[place] - 1) * width, left, sizeof(whole) * (size_t)width))
        place = (place + 1) & (f->room - 1);
    if (!f->table[place]) f->table[place] = ++f->count;
    return (*known = f->table[place]) - 1;
}

/* An end as it is written. */
typedef struct {
    whole row, column, is;
    double chance, attacker_loss, defender_loss, gain;
} result;

static result result_of(const battle *b, fates *f, const end *e) {
    const side *ours = b->sides, *theirs = b->sides + 1;
    const whole *active = ours->active + e->row * ours->segments, rank = ours->rank[e->row];
    const int at_once = theirs->has[e->column] & HELPLESS && rank, cleared = at_once || !theirs->rank[e->column];
    const int taken = b->land && cleared && stands_on_land(ours, e->row), meet = rank && !cleared;
    const int quiet = meet && !b->land && !can_fight(b, e->row, e->column);
    result r = {fate_of(f, e->row, !cleared, 0), fate_of(f + 1, e->column, 0, cleared)};
    r.is = (taken ? TAKEN : 0) | (rank ? ATTACKERS : 0) | (cleared ? 0 : DEFENDERS) | (quiet ? STANDOFF : 0);
    r.is += FIGHT * e->fight;
    r.chance = e->chance;
    r.gain = taken ? b->value - price_of(ours, active, ours->price_there) : 0;
    r.attacker_loss = price_of(ours, ours->units, ours->price) - price_of(ours, active, ours->price) - r.gain;
    r.defender_loss = price_of(theirs, theirs->units, theirs->price);
    if (!cleared) r.defender_loss -= price_of(theirs, theirs->active + e->column * theirs->segments, theirs->price);
    return r;
}

/* The chances that all answers have: in the order of `Figures` in at_once.py. */
static void add_figures(const battle *b, const result *r, double *figures) {
    const int ours = r->is & ATTACKERS, theirs = r->is & DEFENDERS, won = b->land ? r->is & TAKEN : ours && !theirs;
    figures[1] += r->chance * r->gain;
    figures[2] += r->is & TAKEN ? r->chance : 0;
    figures[3] += ours ? r->chance : 0, figures[4] += theirs ? r->chance : 0;
    figures[5] += r->chance * r->attacker_loss, figures[6] += r->chance * r->defender_loss;
    figures[won ? 7 : theirs ? ours ? 10 : 8 : ours ? 11 : 12] += r->chance;
}

typedef struct {
    double number;
    double chance;
} amount;

static int by_number(const void *one, const void *other) {
    const double a = ((const amount *)one)->number, b = ((const amount *)other)->number;
    return (a > b) - (a < b);
}

static int by_chance(const void *one, const void *other) {
    const amount *a = one, *b = other;
    return a->chance != b->chance ? (a->chance < b->chance) - (a->chance > b->chance) : by_number(one, other);
}

static whole common_step(whole one, whole other) {
    while (other) {
        const whole rest = one % other;
        one = other, other = rest;
    }
    return one;
}

/* Add up the chances of equal amounts, which are close together: each has its place. Return how many differ. */
static whole join_close(amount *amounts, whole count, whole low, whole step, double *sums, whole places) {
    for (whole at = 0; at < count; at++) sums[((whole)amounts[at].number - low) / step] += amounts[at].chance;
    whole different = 0;
    for (whole place = 0; place < places; place++)
        if (sums[place] > 0) amounts[different++] = (amount){(double)(low + place * step), sums[place]};
    return different;
}

/* The different amounts of money, in millionths, in ascending order; return how many. */
static whole join_amounts(battle *b, amount *amounts, whole count) {
    whole low = 0, high = 0, step = 0, different = 0;
    for (whole at = 0; at < count; at++) {
        const whole number = (whole)amounts[at].number;
        if (!at || number < low) low = number;
        if (!at || number > high) high = number;
        step = common_step(llabs(number - (whole)amounts[0].number), step);
    }
    const whole places = step ? (high - low) / step + 1 : 1;
    double *sums = places < MANY * count ? room_for(&b->memory, sizeof(double) * (size_t)places) : NULL;
    if (sums) return join_close(amounts, count, low, step ? step : 1, sums, places);
    qsort(amounts, (size_t)count, sizeof *amounts, by_number);
    for (whole at = 0; at < count; at++)
        if (different && amounts[different - 1].number == amounts[at].number)
            amounts[different - 1].chance += amounts[at].chance;
        else amounts[different++] = amounts[at];
    return different;
}

/* The amounts that a tenth, a half and nine tenths of a law do not exceed. */
static void find_percentiles(const amount *amounts, whole count, double sum, double *found) {
    const double shares[3] = {0.1, 0.5, 0.9};
    for (whole which = 0; which < 3 && count; which++) {
        double reached = 0;
        whole place = 0;
        for (; place < count - 1; place++)
            if ((reached += amounts[place].chance) / sum >= shares[which] - 1e-12) break;
        found[which] = amounts[place].number / 1e6;
    }
}

static double rounded(double number) {
    return number < 0 ? -(double)(whole)(0.5 - number) : (double)(whole)(number + 0.5);
}

static int write_number(list *to, whole number) { return add(to, sizeof number, &number); }
static int write_real(list *to, double number) { return add(to, sizeof number, &number); }

/* The mean number of units of a kind that are lost. */
static double mean_lost(const fates *f, whole kind) {
    double mean = 0;
    whole every = 0;
    for (whole at = 0; at < f->s->segments; at++) every += f->s->kind[at] == kind ? f->s->units[at] : 0;
    for (whole fate = 0; fate < f->count; fate++)
        mean += f->chances[fate] * (double)(every - f->left[fate * (f->s->kinds + 1) + kind]);
    return mean;
}

/* Write the different fates of a side: the units that are left, then the likeliest fates first, and their chances; and
   the mean losses of each kind. */
static int write_fates(battle *b, const fates *f, list *numbers, list *reals) {
    amount *order = room_for(&b->memory, sizeof(amount) * (size_t)(f->count + 1));
    if (!order) return OUT_OF_MEMORY;
    int failed = 0;
    for (whole fate = 0; fate < f->count; fate++) order[fate] = (amount){(double)fate, f->chances[fate]};
    qsort(order, (size_t)f->count, sizeof *order, by_chance);
    for (whole fate = 0; fate < f->count * (f->s->kinds + 1); fate++) failed |= write_number(numbers, f->left[fate]);
    for (whole place = 0; place < f->count; place++) {
        failed |= write_number(numbers, (whole)order[place].number);
        failed |= write_real(reals, order[place].chance);
    }
    for (whole kind = 0; kind < f->s->kinds; kind++) failed |= write_real(reals, mean_lost(f, kind));
    return failed;
}

/* Write all that there is to know of a battle: see `_read` in at_once.py. */
int write_answer(battle *b, list *numbers, list *reals) {
    const end *ends = b->ends.at;
    const whole count = b->ends.count;
    fates f[2];
    result *results = room_for(&b->memory, sizeof(result) * (size_t)(count + 1));
    amount *amounts = room_for(&b->memory, sizeof(amount) * (size_t)(count + 1));
    if (make_fates(b, b->sides, f) || make_fates(b, b->sides + 1, f + 1)) return OUT_OF_MEMORY;
    double figures[FIGURES] = {b->rounds};
    for (whole place = 0; place < count; place++) {
        const result *r = results + place;
        results[place] = result_of(b, f, ends + place);
        f[0].chances[r->row] += r->chance, f[1].chances[r->column] += r->chance;
        add_figures(b, r, figures);
        amounts[place] = (amount){rounded((r->defender_loss - r->attacker_loss) * 1e6), r->chance};
    }
    const whole different = join_amounts(b, amounts, count), sizes[4] = {count, f[0].count, f[1].count, different};
    find_percentiles(amounts, different, b->fought, figures + 13);
    figures[16] = b->fought, figures[17] = b->dropped;
    int failed = 0;
    for (whole size = 0; size < 4; size++) failed |= write_number(numbers, sizes[size]);
    for (whole place = 0; place < count; place++) failed |= write_number(numbers, results[place].row);
    for (whole place = 0; place < count; place++) failed |= write_number(numbers, results[place].column);
    for (whole place = 0; place < count; place++) failed |= write_number(numbers, results[place].is);
    for (whole figure = 0; figure < FIGURES; figure++) failed |= write_real(reals, figures[figure]);
    for (whole place = 0; place < count; place++) failed |= write_real(reals, results[place].chance);
    for (whole place = 0; place < count; place++) failed |= write_real(reals, results[place].attacker_loss);
    for (whole place = 0; place < count; place++) failed |= write_real(reals, results[place].defender_loss);
    for (whole place = 0; place < different; place++) failed |= write_real(reals, amounts[place].number / 1e6);
    for (whole place = 0; place < different; place++) failed |= write_real(reals, amounts[place].chance);
    for (whole which = 0; which < 2; which++) failed |= write_fates(b, f + which, numbers, reals);
    return failed ? OUT_OF_MEMORY : 0;
}
