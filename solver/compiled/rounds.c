/* Rounds of Axis & Allies battles in compiled code: what product.py and volley.py do with numpy, cell by cell.

   A row is a force of the attacker, a column one of the defender. A grid holds a number for each cell, row by row, and
   has further layers of rows below for cells between the phases of a round. See product.py for the method, compiled.py
   for who calls this. All arrays are the caller's. Functions return 0, or OUT_OF_MEMORY or TOO_MUCH_WORK. */

#include "rounds.h"

/* Put the mass after a volley on a heap, but that of rows before `from` among the outcomes. */
static void heap_up(heap *to, double *restrict weight, const outcomes *lose, const outcomes *kill, double mass,
                    whole from, field *f) {
    const double least = f->least;
    whole low = from, high = lose->count;
    while (low < high && mass * lose->chance[low] <= least) low++;
    while (high > low && mass * lose->chance[high - 1] <= least) high--;
    if (low == high) return;
    const whole stride = stride_of(lose->count), first = low / ABREAST, last = stride_of(high) / ABREAST;
    double most = 0;
    for (whole a = first * ABREAST; a < last * ABREAST; a++) {
        weight[a] = a < low || a >= high ? 0 : mass * lose->chance[a];
        if (weight[a] > most) most = weight[a];
    }
    const lanes *weights = (const lanes *)weight;
    for (whole k = 0; k < kill->count; k++) {
        const double chance = kill->chance[k];
        if (chance * most <= least) continue;
        const whole column = kill->after[k];
        if (column < to->low) to->low = column;
        if (column >= to->high) to->high = column + 1;
        lanes *target = (lanes *)(to->mass + column * stride);
        for (whole a = first; a < last; a++) target[a] += chance * weights[a];
    }
    f->work += A_CELL + A_PAIR * (double)((high - low) * kill->count);
}

/* Add a heap to the rows of a grid that are left after losses, and empty it. */
static void spread_out(heap *from, double *law, const fire *at_rows, whole row, whole layer, const field *f) {
    if (from->low >= from->high) return;
    whole itself;
    const whole *after = rows_after(at_rows, row, &itself), rows = outcomes_of(at_rows, row), stride = stride_of(rows);
    double *to[ABREAST];
    for (whole a = 0; a < rows; a += ABREAST) {
        const whole count = rows - a < ABREAST ? rows - a : ABREAST;
        for (whole next = 0; next < count; next++) to[next] = law + (layer * f->rows + after[a + next]) * f->columns;
        for (whole column = from->low; column < from->high; column++)
            if (count == ABREAST)
                for (int next = 0; next < ABREAST; next++) to[next][column] += from->mass[column * stride + a + next];
            else
                for (whole next = 0; next < count; next++) to[next][column] += from->mass[column * stride + a + next];
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
    clear_room(&r, f);
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
    clear_room(&r, f);
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
