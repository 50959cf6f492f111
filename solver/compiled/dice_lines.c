/* Battles of compared dice fought to the end, level by level: what lines.py does with numpy. Functions return 0,
   OUT_OF_MEMORY or TOO_MUCH_WORK. */

#include "dice.h"

/* A battle: see solve_by_levels in lines.py. */
typedef struct {
    whole start[2], floor;
    double drop;
    whole shortest_leap, most_steps;
    double rounds, never, dropped;     /* written here */
} dice_battle;

/* Several rounds with all dice; the last three are written here. */
typedef struct {
    whole rounds;
    double drop, missing;
    whole fewest, size;
} dice_power_law;

/* A battle on its way down the levels. The lines are this level and the next few, taken in turn, [line, attackers];
   `low` and `high` are the first and last attackers with any probability in each. */
typedef struct {
    const dice_table *table;
    dice_battle *battle;
    whole level, width, lines;
    double *line;
    whole *low, *high;
    double *ends;                      /* the chances of the ends: see compiled.py */
    whole first_held, last_held;       /* the attackers of the rows of ends that have defenders */
} walk;

/* Powers of a trial ---------------------------------------------------------------------------------------- */

enum { PAD = 3 };

/* out = one * other, as laws of sums; `other` has PAD zeros before and behind it. */
static void convolve(const double *one, whole count, const double *other, whole width, double *restrict out) {
    memset(out, 0, sizeof(double) * (size_t)(count + width - 1));
    whole k = 0;
    for (; k + PAD < count; k += PAD + 1) {
        const double a = one[k], b = one[k + 1], c = one[k + 2], d = one[k + 3];
        double *restrict to = out + k;
        for (whole n = 0; n < width + PAD; n++)
            to[n] += a * other[n] + b * other[n - 1] + c * other[n - 2] + d * other[n - 3];
    }
    for (; k < count; k++) add_scaled(out + k, other, one[k], width);
}

static double *padded(const double *numbers, whole count) {
    double *copy = calloc((size_t)(count + 2 * PAD), sizeof(double));
    if (copy) memcpy(copy + PAD, numbers, sizeof(double) * (size_t)count);
    return copy;
}

/* Replace a law by that of the sum with another. */
static int add_losses(loss_law *law, const double *others, whole count) {
    double *copy = padded(others, count);
    double *sum = malloc(sizeof(double) * (size_t)(law->count + count - 1));
    if (copy && sum) convolve(law->chances, law->count, copy + PAD, count, sum);
    free(copy);
    if (!copy || !sum) {
        free(sum);
        return OUT_OF_MEMORY;
    }
    free(law->chances);
    law->chances = sum, law->count += count - 1;
    return 0;
}

/* Leave out the ends of a law that are less likely than `drop`, or impossible. */
static void trim_law(loss_law *law, double drop) {
    double *chances = law->chances;
    whole first = 0, last = law->count - 1;
    while (first < last && (chances[first] < drop || chances[first] == 0)) law->missing += chances[first++];
    while (last > first && (chances[last] < drop || chances[last] == 0)) law->missing += chances[last--];
    law->fewest += first, law->count = last - first + 1;
    memmove(chances, chances + first, sizeof(double) * (size_t)law->count);
}

int find_power(const dice_law *trial, whole count, double drop, loss_law *law) {
    whole highest = 0;
    for (whole k = 0; k < trial->count; k++) highest = most(highest, trial->lost[2 * k]);
    double *once = calloc((size_t)highest + 1, sizeof(double));
    *law = (loss_law){calloc((size_t)highest + 1, sizeof(double)), 0, highest + 1, 0};
    int failed = once && law->chances ? 0 : OUT_OF_MEMORY;
    for (whole k = 0; !failed && k < trial->count; k++) once[trial->lost[2 * k]] += trial->chance[k];
    if (!failed) {
        memcpy(law->chances, once, sizeof(double) * (size_t)(highest + 1));
        trim_law(law, drop);
    }
    int bit = 0;
    while (count >> (bit + 1)) bit++;
    while (!failed && bit-- > 0) {
        /* What is missing from a law is missing from both factors of its square. */
        law->fewest *= 2, law->missing *= 2 - law->missing;
        failed = add_losses(law, law->chances, law->count);
        if (!failed && count >> bit & 1) failed = add_losses(law, once, highest + 1);
        if (!failed) trim_law(law, drop);
    }
    free(once);
    return failed;
}

/* As find_power. `chances` has room for all losses that are possible. */
int dice_power(const dice_table *table, dice_power_law *of, double *chances) {
    const dice_law trial = law_between(table, table->caps[0], table->caps[1]);
    loss_law law;
    const int failed = find_power(&trial, of->rounds, of->drop, &law);
    if (!failed) memcpy(chances, law.chances, sizeof(double) * (size_t)law.count);
    of->fewest = law.fewest, of->size = law.count, of->missing = law.missing;
    free(law.chances);
    return failed;
}

/* Levels --------------------------------------------------------------------------------------------------- */

static double *line_at(const walk *w, whole level) { return w->line + level % w->lines * w->width; }

/* Note that cells of a level have probability. */
static void reach(walk *w, whole level, whole low, whole high) {
    const whole place = level % w->lines;
    const whole empty = w->low[place] > w->high[place];
    w->low[place] = empty ? low : least(low, w->low[place]);
    w->high[place] = empty ? high : most(high, w->high[place]);
}

static void clear(walk *w, whole level) {
    const whole place = level % w->lines, low = w->low[place];
    memset(line_at(w, level) + low, 0, sizeof(double) * (size_t)(w->high[place] - low + 1));
    w->low[place] = 1, w->high[place] = 0;
}

/* How many levels have any probability. */
static whole levels_reached(const walk *w) {
    whole reached = 0;
    for (whole place = 0; place < w->lines; place++) reached += w->low[place] <= w->high[place];
    return reached;
}

static double *end_at(const walk *w, whole attackers, whole defenders) {
    const whole columns = w->battle->start[1] + 1, rows = w->last_held - w->first_held + 1;
    if (attackers > w->last_held) return w->ends + rows * columns + attackers - w->last_held - 1;
    return w->ends + (attackers - w->first_held) * columns + defenders;
}

/* Leave out the unlikely ends of this level. */
static void trim_level(walk *w) {
    const whole place = w->level % w->lines;
    double *line = line_at(w, w->level);
    whole low = w->low[place], high = w->high[place];
    const double drop = w->battle->drop > DBL_MIN ? w->battle->drop : DBL_MIN;
    for (; low <= high && line[low] < drop; low++) w->battle->dropped += line[low], line[low] = 0;
    for (; high >= low && line[high] < drop; high--) w->battle->dropped += line[high], line[high] = 0;
    w->low[place] = low, w->high[place] = high;
}

/* Fight one round in a cell, or in neighbouring cells of this level with the same law. */
static void fight(walk *w, whole attackers, whole count) {
    const dice_law law = law_between(w->table, attackers, w->level - attackers - count + 1);
    const double *mass = line_at(w, w->level) + attackers;
    const double sum = add_up(mass, count);
    if (law.leave == 0) {
        w->battle->never += sum;
        return;
    }
    w->battle->rounds += sum / law.leave;
    for (whole k = 0; k < law.count; k++) {
        const whole low = attackers - law.lost[2 * k], level = w->level - law.lost[2 * k] - law.lost[2 * k + 1];
        add_scaled(line_at(w, level) + low, mass, law.share[k], count);
        reach(w, level, low, low + count - 1);
    }
}

/* Keep what ends on this level, and fight one round in its other cells. */
static void fight_level(walk *w) {
    const whole place = w->level % w->lines, floor = w->battle->floor, *caps = w->table->caps;
    const double *line = line_at(w, w->level);
    whole low = w->low[place], high = w->high[place];
    for (; low <= high && low <= floor; low++) *end_at(w, low, w->level - low) += line[low];
    if (low <= high && high == w->level) *end_at(w, high, 0) += line[high], high--;
    const whole first = most(low, caps[0]), last = least(high, w->level - caps[1]);
    const whole inner = first <= last;
    for (whole a = low; a <= high; a++)
        if (inner && a == first) {
            fight(w, first, last - first + 1);
            a = last;
        } else if (line[a] > 0) {
            fight(w, a, 1);
        }
}

/* How many rounds can be fought at once: 0 if one of them may be fought with fewer than all dice. */
static whole leap_length(const walk *w) {
    const dice_table *t = w->table;
    const whole place = w->level % w->lines;
    if (!t->steady || levels_reached(w) > 1) return 0;
    const whole spare = least(w->low[place] - most(t->caps[0], w->battle->floor + 1), w->level - w->high[place] - t->caps[1]);
    const whole leap = spare < 0 ? 0 : spare / t->steady + 1;
    return leap < w->battle->shortest_leap ? 0 : leap;
}

/* Fight several rounds at once in all cells of this level, which hold all the probability. */
static int fight_at_once(walk *w, whole count) {
    const dice_law trial = law_between(w->table, w->table->caps[0], w->table->caps[1]);
    const whole place = w->level % w->lines, low = w->low[place], size = w->high[place] - low + 1;
    loss_law law;
    int failed = find_power(&trial, count, w->battle->drop, &law);
    double *mass = failed ? NULL : padded(line_at(w, w->level) + low, size);
    if (!mass) {
        free(law.chances);
        return OUT_OF_MEMORY;
    }
    const double sum = add_up(mass + PAD, size);
    w->battle->dropped += law.missing * sum, w->battle->rounds += (double)count * sum;
    clear(w, w->level);
    w->level -= count * w->table->steady;
    for (whole k = 0; k < law.count / 2; k++) {
        const double other = law.chances[k];
        law.chances[k] = law.chances[law.count - 1 - k], law.chances[law.count - 1 - k] = other;
    }
    const whole lowest = low - law.fewest - law.count + 1;
    convolve(law.chances, law.count, mass + PAD, size, line_at(w, w->level) + lowest);
    reach(w, w->level, lowest, lowest + law.count + size - 2);
    free(mass), free(law.chances);
    return 0;
}

static int descend(walk *w) {
    for (whole steps = 0; w->level >= 0 && levels_reached(w); steps++) {
        if (steps > w->battle->most_steps) return TOO_MUCH_WORK;
        const whole place = w->level % w->lines;
        if (w->low[place] <= w->high[place]) trim_level(w);
        if (w->low[place] <= w->high[place]) {
            const whole leap = leap_length(w);
            if (leap) {
                if (fight_at_once(w, leap)) return OUT_OF_MEMORY;
                continue;
            }
            fight_level(w);
            clear(w, w->level);
        }
        w->level--;
    }
    return 0;
}

/* Fight to the end. `ends` begins with zeros, and has a row for each number of attackers from `first_held` to
   `last_held`, [attackers, defenders], and then a number for each higher number of attackers and no defender. */
int dice_solve(const dice_table *table, dice_battle *battle, whole first_held, whole last_held, double *ends) {
    const whole lines = table->most_lost[0] + table->most_lost[1] + 1, width = battle->start[0] + 1;
    walk w = {table, battle, battle->start[0] + battle->start[1], width, lines, NULL, NULL, NULL, ends, first_held, last_held};
    w.line = calloc((size_t)(lines * width), sizeof(double));
    w.low = calloc((size_t)(2 * lines), sizeof(whole));
    w.high = w.low + lines;
    int failed = OUT_OF_MEMORY;
    if (w.line && w.low) {
        for (whole place = 0; place < lines; place++) w.low[place] = 1;
        line_at(&w, w.level)[width - 1] = 1;
        reach(&w, w.level, width - 1, width - 1);
        failed = descend(&w);
    }
    free(w.line), free(w.low);
    return failed;
}
