/* The worth of the cells of a battle in compiled code, from the last round to the first: see rounds.c. */

#include "rounds.h"

/* Take the worth of the rows that a row can become, from outcome `from` on: [payoff, column, row after]. */
static void look_ahead(heap *to, const double *worth, whole payoffs, const fire *at_rows, whole row, whole layer,
                       whole from, whole high, const field *f) {
    whole itself;
    const whole *after = rows_after(at_rows, row, &itself), stride = outcomes_of(at_rows, row);
    for (whole payoff = 0; payoff < payoffs; payoff++)
        for (whole a = from; a < stride; a++) {
            const double *restrict line = worth + ((payoff * f->layers + layer) * f->rows + after[a]) * f->columns;
            double *restrict ahead = to->mass + payoff * f->columns * stride + a;
            for (whole column = 0; column < high; column++) ahead[column * stride] = line[column];
        }
}

/* The mean worth after losses of the attacker, from outcome `from` on. */
static double mean_ahead(const heap *ahead, double *restrict sums, const outcomes *lose, const outcomes *kill,
                         whole payoff, whole from, field *f) {
    const whole stride = lose->count, count = stride - from;
    const double *lines = ahead->mass + payoff * f->columns * stride + from;
    for (whole a = 0; a < count; a++) sums[a] = 0;
    for (whole k = 0; k < kill->count; k++) {
        const double chance = kill->chance[k];
        const double *restrict line = lines + kill->after[k] * stride;
        for (whole a = 0; a < count; a++) sums[a] += chance * line[a];
    }
    double mean = 0;
    for (whole a = 0; a < count; a++) mean += sums[a] * lose->chance[from + a];
    f->work += A_CELL + A_PAIR * (double)(count * kill->count);
    return mean;
}

/* The worth of other columns of a row, weighted by their probability. */
static double mean_along(const double *line, const outcomes *kill) {
    double mean = 0;
    for (whole k = 1; k < kill->count; k++) mean += kill->chance[k] * line[kill->after[k]];
    return mean;
}

/* Set the worth of the cells of a row in one layer to the mean over a volley that leads to another layer. */
static void take_means(field *f, room *r, double *into, const double *worth, whole payoffs, whole row,
                       const whole *columns, whole count, const fire_pair *pair, whole layer, whole source,
                       const flag *fights) {
    look_ahead(&r->here, worth, payoffs, pair->at_rows, row, source, 0, columns[count - 1] + 1, f);
    for (whole place = 0; place < count; place++) {
        const whole column = columns[place];
        if (fights && !fights[column]) continue;
        find_outcomes(&r->kill, pair->at_columns, row, column, &f->work);
        find_outcomes(&r->lose, pair->at_rows, column, row, &f->work);
        for (whole payoff = 0; payoff < payoffs; payoff++)
            into[((payoff * f->layers + layer) * f->rows + row) * f->columns + column]
                = mean_ahead(&r->here, r->weight, &r->lose, &r->kill, payoff, 0, f);
    }
}

/* Set the worth of the cells of a row against the columns of one kind. */
static void weigh_row(field *f, room *r, double *worth, whole payoffs, whole row, const whole *columns, whole count,
                      const meeting *m, const choice *c, double *going, double *ahead) {
    const fire_pair *main = m->salvo + m->layer, *strike = m->strikes ? &m->strike : NULL;
    const whole size = f->layers * f->rows * f->columns, high = columns[count - 1] + 1;
    double *line = worth + row * f->columns, *half_line = worth + (m->layer * f->rows + row) * f->columns;
    look_ahead(&r->here, worth, payoffs, main->at_rows, row, 0, 1, high, f);
    if (strike) look_ahead(&r->between, worth, payoffs, strike->at_rows, row, m->layer, 1, high, f);
    for (whole place = 0; place < count; place++) {
        const whole column = columns[place];
        const flag fights = f->fights[row * f->columns + column];
        if (!fights && !strike && !c) continue;
        find_outcomes(&r->kill, main->at_columns, row, column, &f->work);
        find_outcomes(&r->lose, main->at_rows, column, row, &f->work);
        const double unharmed = r->lose.unharmed, stay = unharmed * r->kill.unharmed;
        double leave = r->lose.harmed + unharmed * r->kill.harmed, both = 0, whole_row = 0;
        if (strike) {
            find_outcomes(&r->strike_kill, strike->at_columns, row, column, &f->work);
            find_outcomes(&r->strike_lose, strike->at_rows, column, row, &f->work);
            whole_row = r->strike_lose.unharmed, both = whole_row * r->strike_kill.unharmed;
            leave = r->strike_lose.harmed + whole_row * r->strike_kill.harmed + both * leave;
        }
        for (whole payoff = 0; payoff < payoffs; payoff++) {
            ahead[payoff] = mean_ahead(&r->here, r->weight, &r->lose, &r->kill, payoff, 1, f)
                + unharmed * mean_along(line + payoff * size, &r->kill);
            going[payoff] = ahead[payoff];
            if (strike)
                going[payoff] = both * ahead[payoff] + whole_row * mean_along(half_line + payoff * size, &r->strike_kill)
                    + mean_ahead(&r->between, r->weight, &r->strike_lose, &r->strike_kill, payoff, 1, f);
            going[payoff] = fights && leave > 0 ? going[payoff] / leave : 0;
        }
        if (c) choose(c, worth, f->layers * f->rows, payoffs, row, column, going);
        for (whole payoff = 0; payoff < payoffs; payoff++) {
            double *now = line + payoff * size + column;
            if (fights && leave > 0) *now = going[payoff];
            if (strike) half_line[payoff * size + column] = ahead[payoff] + stay * *now;
        }
    }
    for (whole layer = 1; layer < f->layers; layer++)
        if (layer != m->layer && m->salvo_there[layer])
            take_means(f, r, worth, worth, payoffs, row, columns, count, m->salvo + layer, layer, 0, NULL);
}

/* Give the cells of a row with a move without fire the worth of the cells to which it leads. */
static void take_moves(const field *f, double *worth, whole payoffs, whole size, whole row, const whole *columns,
                       whole count, const meeting *m) {
    for (whole place = 0; place < count; place++) {
        const whole cell = row * f->columns + columns[place], ahead = quiet_cell(f, m, row, columns[place]);
        for (whole payoff = 0; payoff < payoffs && f->fights[cell]; payoff++)
            worth[payoff * size + cell] = worth[payoff * size + ahead];
    }
}

int pull(field *f, double *worth, whole payoffs, const choice *c) {
    room r;
    double *values = malloc(sizeof(double) * 2 * (size_t)payoffs);
    int failed = make_room(&r, f, payoffs) && values ? 0 : OUT_OF_MEMORY;
    for (whole row = 0; row < f->rows && !failed; row++) {
        for (whole kind = f->kinds - 1; kind >= 0; kind--) {
            const meeting *m = meeting_of(f, row, kind);
            const whole *columns = f->kind_columns + f->kind_first[kind];
            const whole count = f->kind_first[kind + 1] - f->kind_first[kind];
            if (m->quiet) take_moves(f, worth, payoffs, f->layers * f->rows * f->columns, row, columns, count, m);
            else weigh_row(f, &r, worth, payoffs, row, columns, count, m, c, values, values + payoffs);
        }
        if (f->work > f->most_work) failed = TOO_MUCH_WORK;
    }
    clear_room(&r, f), free(values);
    return failed;
}

/* Take one round back: `after` holds the worth of cells in which nobody fights on, and then that of all cells. */
int gather(field *f, double *after, double *worth, whole payoffs) {
    room r;
    int failed = make_room(&r, f, payoffs) ? 0 : OUT_OF_MEMORY;
    for (whole layer = f->layers - 1; layer >= 0; layer--)
        for (whole row = 0; row < f->rows && !failed; row++) {
            for (whole kind = 0; kind < f->kinds; kind++) {
                const meeting *m = meeting_of(f, row, kind);
                const whole *columns = f->kind_columns + f->kind_first[kind];
                const whole count = f->kind_first[kind + 1] - f->kind_first[kind];
                if (m->quiet) continue;
                if (layer && m->salvo_there[layer])
                    take_means(f, &r, worth, worth, payoffs, row, columns, count, m->salvo + layer, layer, 0, NULL);
                if (!layer)
                    take_means(f, &r, after, worth, payoffs, row, columns, count, m->strikes ? &m->strike : m->salvo, 0,
                               m->layer, f->fights + row * f->columns);
            }
            if (f->work > f->most_work) failed = TOO_MUCH_WORK;
        }
    clear_room(&r, f);
    return failed;
}

/* Give cells with a move without fire the worth of those to which it leads; each payoff has `size` numbers. */
int make_moves_backward(field *f, double *worth, whole payoffs, whole size) {
    for (whole row = f->rows - 1; row >= 0; row--)
        for (whole kind = 0; kind < f->kinds; kind++) {
            const meeting *m = meeting_of(f, row, kind);
            if (m->quiet)
                take_moves(f, worth, payoffs, size, row, f->kind_columns + f->kind_first[kind],
                           f->kind_first[kind + 1] - f->kind_first[kind], m);
        }
    return 0;
}
