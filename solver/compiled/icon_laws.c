/* Rounds with icon dice, row by row: what icons.py does with numpy, which says what the numbers mean. */

#include "dice.h"

#define SMALLEST_SCALE 1e-100          /* below it weights become chances again, before they are too large for a float */

/* A row of laws, of so many attackers against `first` to `last` defenders, at least as many. */
typedef struct {
    whole attackers, first, last;
    whole hit_back, block_back;        /* the most icons of a defender's die */
    whole faces;
    const whole *moves;                /* [face, attack and defence icons] */
    const double *weights;             /* of each face */
    double total;                      /* the sum of these weights */
    whole wide, length;                /* the size of the first law, [X, n - Y], with margins for the next die */
} icon_row;

/* Put all that is above a place into that place, because more makes no difference any longer. */
static void lump_above(double *now, whole stride, whole *wide, whole *length, whole last_wide, whole last_length) {
    for (; *wide > last_wide + 1; --*wide) add_scaled(now + last_wide * stride, now + (*wide - 1) * stride, 1, *length);
    if (*length <= last_length + 1) return;
    for (whole x = 0; x < *wide; x++) {
        double *row = now + x * stride;
        row[last_length] += add_up(row + last_length + 1, *length - last_length - 1);
    }
    *length = last_length + 1;
}

/* Add a defender. Whatever falls below the margin is put at its end. */
static void add_defender(const icon_row *r, const double *now, double *after, whole stride, whole wide, whole length) {
    for (whole x = 0; x < wide; x++) memset(after + x * stride, 0, sizeof(double) * (size_t)length);
    for (whole face = 0; face < r->faces; face++) {
        const whole hits = r->moves[2 * face], blocks = r->moves[2 * face + 1];
        for (whole x = blocks; x < wide; x++) {
            const whole to = most(x - blocks, r->block_back);
            add_scaled(after + to * stride, now + x * stride + hits, r->weights[face], length - hits);
        }
    }
    for (whole x = r->block_back; r->hit_back && x < wide; x++) {
        double *row = after + x * stride;
        row[r->hit_back] += add_up(row, r->hit_back);
        memset(row, 0, sizeof(double) * (size_t)r->hit_back);
    }
}

/* Write the law of the losses against so many defenders, [defenders lost, attackers left], from weights. */
static void clip_losses(const icon_row *r, const double *now, whole wide, whole length, whole defenders, double scale,
                        double *law) {
    const whole left = r->attackers + 1, row_length = length - r->hit_back;
    for (whole x = r->block_back; x < wide; x++) {
        const double *row = now + x * r->length + r->hit_back;
        double *to = law + least(x - r->block_back, defenders) * left;
        add_scaled(to, row, scale, least(left, row_length));
        if (row_length > left) to[left - 1] += scale * add_up(row + left, row_length - left);
    }
}

/* Find the laws, one after the other, where there were zeros. `now` begins with the law of n against n; both arrays have
   that size. */
int icon_laws(const icon_row *r, double *now, double *after, double *laws) {
    whole wide = r->wide, length = r->length;
    double scale = 1;
    for (whole m = r->attackers; m <= r->last; m++) {
        if (m > r->attackers) {
            add_defender(r, now, after, r->length, wide, length);
            double *swap = now;
            now = after, after = swap;
            scale /= r->total;
        }
        lump_above(now, r->length, &wide, &length, r->block_back + r->last + r->block_back * (r->last - m),
                   r->hit_back + r->attackers + r->hit_back * (r->last - m));
        if (m >= r->first) {
            clip_losses(r, now, wide, length, m, scale, laws);
            laws += (m + 1) * (r->attackers + 1);
        }
        if (scale > SMALLEST_SCALE) continue;
        for (whole cell = 0; cell < wide * r->length; cell++) now[cell] *= scale;
        scale = 1;
    }
    return 0;
}

/* A row of a grid. Its laws are those against `first` defenders and more, one after the other. */
typedef struct {
    whole attackers, first, count;
    whole row_step, column_step;       /* how far apart in memory the cells are */
} icon_cells;

static const double *law_against(const icon_cells *c, const double *laws, whole defenders) {
    const whole before = (defenders * (defenders + 1) - c->first * (c->first + 1)) / 2;
    return laws + before * (c->attackers + 1);
}

/* The chance that a unit is lost: all of a law but the place where all are left. */
static double leave_of(const double *law, whole attackers, whole defenders) {
    return add_up(law, attackers) + add_up(law + attackers + 1, defenders * (attackers + 1));
}

/* Push the cells of a row, the last first; `stopped` may be null. */
int icon_push(const icon_cells *c, const double *laws, double *grid, const flag *stopped, double *rounds) {
    for (whole m = c->first + c->count - 1; m >= c->first; m--) {
        const whole n = c->attackers, cell = n * c->row_step + m * c->column_step;
        if (grid[cell] == 0 || (stopped && stopped[cell])) continue;
        const double *law = law_against(c, laws, m), leave = leave_of(law, n, m);
        if (leave == 0) continue;
        const double visits = grid[cell] / leave;
        *rounds += visits;
        for (whole lost = 0; lost <= m; lost++) {
            double *to = grid + (m - lost) * c->column_step;
            for (whole left = 0; left <= n - !lost; left++)
                to[left * c->row_step] += visits * law[lost * (n + 1) + left];
        }
    }
    return 0;
}

/* Pull the cells of a row, the first first; `stop_pays` may be null. */
int icon_pull(const icon_cells *c, const double *laws, double *worth, const double *stop_pays) {
    for (whole m = c->first; m < c->first + c->count; m++) {
        const whole n = c->attackers, cell = n * c->row_step + m * c->column_step;
        const double *law = law_against(c, laws, m), leave = leave_of(law, n, m);
        double mean = 0;
        for (whole lost = 0; lost <= m && leave > 0; lost++) {
            const double *from = worth + (m - lost) * c->column_step;
            for (whole left = 0; left <= n - !lost; left++) mean += law[lost * (n + 1) + left] * from[left * c->row_step];
        }
        if (leave > 0) worth[cell] = mean / leave;
        if (stop_pays && worth[cell] < stop_pays[cell]) worth[cell] = stop_pays[cell];
    }
    return 0;
}
