/* Rounds of Axis & Allies battles in compiled code: what product.py and volley.py do with numpy, cell by cell.

   A row is a force of the attacker, a column one of the defender. A grid holds a number for each cell, row by row, and
   has further layers of rows below for cells between the phases of a round. See product.py for the method, compiled.py
   for who calls this. All arrays are the caller's. Functions return 0, or OUT_OF_MEMORY or TOO_MUCH_WORK. */

#include "kernel.h"

/* What fire makes of one target. */
typedef struct {
    double *chance;
    const whole *after;
    whole count;
    double unharmed, harmed;
    whole itself;                      /* room for `after` if nobody fires */
} outcomes;

/* The mass after a row's volleys: [column after, row after], and the columns that it has reached. */
typedef struct {
    double *mass;
    whole low, high;
} heap;

/* Chances ------------------------------------------------------------------------------------------------- */

static void find_outcomes(outcomes *found, const fire *f, whole shooter, whole target, double *work) {
    if (!f) {
        found->chance[0] = found->unharmed = 1, found->harmed = 0;
        found->itself = target, found->after = &found->itself, found->count = 1;
        return;
    }
    const double *table = f->chances + f->row[shooter] * f->width;
    const whole begin = f->first_outcome[target], count = f->first_outcome[target + 1] - begin;
    const small *place = f->place, *one = f->factor[0], *other = f->factor[1];
    double harmed = 0;
    for (whole outcome = 0; outcome < count; outcome++) {
        const whole stop = f->outcome[begin + outcome + 1];
        double sum = 0;
        for (whole way = f->outcome[begin + outcome]; way < stop; way++) {
            double chance = table[place[way]];
            if (one) chance *= table[one[way]];
            if (other) chance *= table[other[way]];
            sum += chance;
        }
        found->chance[outcome] = sum;
        if (outcome) harmed += sum;
    }
    found->unharmed = found->chance[0], found->harmed = harmed;
    found->after = f->after + begin, found->count = count;
    *work += A_WAY * (double)(f->first[target + 1] - f->first[target]);
}

static whole outcomes_of(const fire *f, whole target) {
    return f ? f->first_outcome[target + 1] - f->first_outcome[target] : 1;
}

static const whole *rows_after(const fire *f, whole row, whole *itself) {
    *itself = row;
    return f ? f->after + f->first_outcome[row] : itself;
}

/* Room for the work on one row. */
typedef struct {
    outcomes kill, lose, strike_kill, strike_lose;
    heap here, between;
    double *weight;
    whole most;                        /* the most outcomes of a row */
} room;

static void grow(const fire *f, whole *most) {
    if (f && f->most > *most) *most = f->most;
}

static int make_room(room *r, const field *f, whole payoffs) {
    whole rows = 1, columns = 1;
    for (whole m = 0; m < f->row_kinds * f->kinds; m++) {
        const meeting *at = f->meetings + m;
        grow(at->strike.at_columns, &columns), grow(at->strike.at_rows, &rows);
        for (int layer = 0; layer < MOST_LAYERS; layer++)
            grow(at->salvo[layer].at_columns, &columns), grow(at->salvo[layer].at_rows, &rows);
    }
    memset(r, 0, sizeof *r);
    r->most = rows;
    const size_t heap_size = (size_t)(f->columns * rows * payoffs);
    r->kill.chance = malloc(sizeof(double) * (size_t)columns);
    r->strike_kill.chance = malloc(sizeof(double) * (size_t)columns);
    r->lose.chance = malloc(sizeof(double) * (size_t)rows);
    r->strike_lose.chance = malloc(sizeof(double) * (size_t)rows);
    r->weight = malloc(sizeof(double) * (size_t)rows);
    r->here.mass = calloc(heap_size, sizeof(double));
    r->between.mass = calloc(heap_size, sizeof(double));
    r->here.low = r->between.low = f->columns;
    r->here.high = r->between.high = 0;
    return r->kill.chance && r->strike_kill.chance && r->lose.chance && r->strike_lose.chance && r->weight
        && r->here.mass && r->between.mass;
}

static void clear_room(room *r) {
    free(r->kill.chance), free(r->strike_kill.chance), free(r->lose.chance), free(r->strike_lose.chance);
    free(r->weight), free(r->here.mass), free(r->between.mass);
}

/* Forward ------------------------------------------------------------------------------------------------- */

/* Put the mass after a volley on a heap, but that of rows before `from` among the outcomes. */
static void heap_up(heap *to, double *restrict weight, const outcomes *lose, const outcomes *kill, double mass,
                    whole from, field *f) {
    const whole stride = lose->count;
    const double least = f->least;
    whole low = from, high = stride;
    while (low < high && mass * lose->chance[low] <= least) low++;
    while (high > low && mass * lose->chance[high - 1] <= least) high--;
    if (low == high) return;
    const whole count = high - low;
    double most = 0;
    for (whole a = 0; a < count; a++) {
        weight[a] = mass * lose->chance[low + a];
        if (weight[a] > most) most = weight[a];
    }
    for (whole k = 0; k < kill->count; k++) {
        const double chance = kill->chance[k];
        if (chance * most <= least) continue;
        const whole column = kill->after[k];
        if (column < to->low) to->low = column;
        if (column >= to->high) to->high = column + 1;
        double *restrict target = to->mass + column * stride + low;
        for (whole a = 0; a < count; a++) target[a] += chance * weight[a];
    }
    f->work += A_CELL + A_PAIR * (double)(count * kill->count);
}

/* Add a heap to the rows of a grid that are left after losses, and empty it. */
static void spread_out(heap *from, double *law, const fire *at_rows, whole row, whole layer, const field *f) {
    if (from->low >= from->high) return;
    whole itself;
    const whole *after = rows_after(at_rows, row, &itself), stride = outcomes_of(at_rows, row);
    for (whole a = 0; a < stride; a++) {
        double *restrict to = law + (layer * f->rows + after[a]) * f->columns;
        const double *restrict mass = from->mass + a;
        for (whole column = from->low; column < from->high; column++) to[column] += mass[column * stride];
    }
    memset(from->mass + from->low * stride, 0, sizeof(double) * (size_t)((from->high - from->low) * stride));
    from->low = f->columns, from->high = 0;
}

/* Fire once with the mass of a row in one grid, and add what is left to a layer of another. */
static double fire_once(field *f, room *r, double *source, double *law, whole row, const whole *columns, whole count,
                        const fire_pair *pair, whole layer, const flag *fights) {
    double fought = 0;
    for (whole place = 0; place < count; place++) {
        const whole column = columns[place];
        const double mass = source[column];
        if (mass <= f->eps || (fights && !fights[column])) continue;
        source[column] = 0;
        fought += mass;
        find_outcomes(&r->kill, pair->at_columns, row, column, &f->work);
        find_outcomes(&r->lose, pair->at_rows, column, row, &f->work);
        heap_up(&r->here, r->weight, &r->lose, &r->kill, mass, 0, f);
    }
    spread_out(&r->here, law, pair->at_rows, row, layer, f);
    return fought;
}

/* Move mass along a row while the attacker loses nobody. */
static void push_along(double *line, const outcomes *kill, double mass) {
    for (whole k = 1; k < kill->count; k++) line[kill->after[k]] += mass * kill->chance[k];
}

/* Fight all rounds of a row against the columns of one kind; return the rounds fought. */
static double fight_row(field *f, room *r, double *law, whole row, const whole *columns, whole count,
                        const meeting *m) {
    for (whole layer = 1; layer < f->layers; layer++)
        if (layer != m->layer && m->salvo_there[layer])
            fire_once(f, r, law + (layer * f->rows + row) * f->columns, law, row, columns, count, m->salvo + layer, 0,
                      NULL);
    const fire_pair *main = m->salvo + m->layer, *strike = m->strikes ? &m->strike : NULL;
    const flag *fights = f->fights + row * f->columns;
    double *line = law + row * f->columns, *half_line = law + (m->layer * f->rows + row) * f->columns, rounds = 0;
    for (whole place = count - 1; place >= 0; place--) {
        const whole column = columns[place];
        const double mass = fights[column] ? line[column] : 0, half = strike ? half_line[column] : 0;
        if (mass + half <= f->eps) continue;
        find_outcomes(&r->kill, main->at_columns, row, column, &f->work);
        find_outcomes(&r->lose, main->at_rows, column, row, &f->work);
        const double unharmed = r->lose.unharmed, stay = unharmed * r->kill.unharmed;
        double leave = r->lose.harmed + unharmed * r->kill.harmed, visits = 0, volleys;
        if (strike) {
            find_outcomes(&r->strike_kill, strike->at_columns, row, column, &f->work);
            find_outcomes(&r->strike_lose, strike->at_rows, column, row, &f->work);
            const double whole_row = r->strike_lose.unharmed, both = whole_row * r->strike_kill.unharmed;
            leave = r->strike_lose.harmed + whole_row * r->strike_kill.harmed + both * leave;
            if (fights[column] && leave > 0) visits = (mass + half * stay) / leave;
            volleys = half + visits * both;
            half_line[column] = 0;
            push_along(half_line, &r->strike_kill, visits * whole_row);
            heap_up(&r->between, r->weight, &r->strike_lose, &r->strike_kill, visits, 1, f);
        } else {
            if (leave <= 0) continue;
            volleys = visits = mass / leave;
        }
        if (fights[column]) line[column] = 0;
        else line[column] += volleys * stay;
        rounds += visits;
        push_along(line, &r->kill, volleys * unharmed);
        heap_up(&r->here, r->weight, &r->lose, &r->kill, volleys, 1, f);
    }
    spread_out(&r->here, law, main->at_rows, row, 0, f);
    if (strike) spread_out(&r->between, law, strike->at_rows, row, m->layer, f);
    return rounds;
}

static const meeting *meeting_of(const field *f, whole row, whole kind) {
    return f->meetings + f->row_kind[row] * f->kinds + kind;
}

static whole quiet_cell(const field *f, const meeting *m, whole row, whole column) {
    return (m->quiet_rows ? m->quiet_rows[row] : row) * f->columns
        + (m->quiet_columns ? m->quiet_columns[column] : column);
}

/* Make the moves without fire of a row against the columns of one kind. */
static void move_row(const field *f, double *law, whole row, const whole *columns, whole count, const meeting *m) {
    for (whole place = 0; place < count; place++) {
        double *here = law + row * f->columns + columns[place];
        const double mass = *here;
        if (!f->fights[row * f->columns + columns[place]] || mass == 0) continue;
        *here = 0;
        law[quiet_cell(f, m, row, columns[place])] += mass;
    }
}

/* Move the mass of cells where the attacker of a row retreats to the force that stays behind. */
static void withdraw(const field *f, double *law, whole row) {
    if (!f->moves_to || !f->stops || f->moves_to[row] == row) return;
    const flag *stops = f->stops + row * f->columns;
    double *from = law + row * f->columns, *to = law + f->moves_to[row] * f->columns;
    for (whole column = 0; column < f->columns; column++)
        if (stops[column]) to[column] += from[column], from[column] = 0;
}

int push(field *f, double *law, double *rounds) {
    room r;
    int failed = make_room(&r, f, 1) ? 0 : OUT_OF_MEMORY;
    for (whole row = f->rows - 1; row >= 0 && !failed; row--) {
        for (whole kind = 0; kind < f->kinds; kind++) {
            const meeting *m = meeting_of(f, row, kind);
            const whole *columns = f->kind_columns + f->kind_first[kind];
            const whole count = f->kind_first[kind + 1] - f->kind_first[kind];
            if (m->quiet) move_row(f, law, row, columns, count, m);
            else *rounds += fight_row(f, &r, law, row, columns, count, m);
        }
        withdraw(f, law, row);
        if (f->work > f->most_work) failed = TOO_MUCH_WORK;
    }
    clear_room(&r);
    return failed;
}

/* Fight a single round with the mass of `waiting`, which keeps what is not followed. */
int spread(field *f, double *law, double *waiting, double *fought) {
    room r;
    int failed = make_room(&r, f, 1) ? 0 : OUT_OF_MEMORY;
    for (whole layer = 0; layer < f->layers; layer++)
        for (whole row = f->rows - 1; row >= 0 && !failed; row--) {
            for (whole kind = 0; kind < f->kinds; kind++) {
                const meeting *m = meeting_of(f, row, kind);
                const whole *columns = f->kind_columns + f->kind_first[kind];
                const whole count = f->kind_first[kind + 1] - f->kind_first[kind];
                if (m->quiet) continue;
                if (!layer)
                    *fought += fire_once(f, &r, waiting + row * f->columns, law, row, columns, count,
                                         m->strikes ? &m->strike : m->salvo, m->layer, f->fights + row * f->columns);
                else if (m->salvo_there[layer])
                    fire_once(f, &r, law + (layer * f->rows + row) * f->columns, law, row, columns, count,
                              m->salvo + layer, 0, NULL);
            }
            if (f->work > f->most_work) failed = TOO_MUCH_WORK;
        }
    clear_room(&r);
    return failed;
}

int make_moves(field *f, double *law) {
    for (whole row = f->rows - 1; row >= 0; row--) withdraw(f, law, row);
    for (whole row = f->rows - 1; row >= 0; row--)
        for (whole kind = 0; kind < f->kinds; kind++) {
            const meeting *m = meeting_of(f, row, kind);
            if (m->quiet)
                move_row(f, law, row, f->kind_columns + f->kind_first[kind],
                         f->kind_first[kind + 1] - f->kind_first[kind], m);
        }
    return 0;
}

/* Backward ------------------------------------------------------------------------------------------------ */

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
    clear_room(&r), free(values);
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
    clear_room(&r);
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
