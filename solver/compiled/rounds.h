/* What fire.c, rounds.c and worths.c share: the outcomes of fire, and room for the work on a row. */

#ifndef ROUNDS_H
#define ROUNDS_H

#include "kernel.h"

enum { ABREAST = 4 }; /* so many numbers are worked on together */
typedef double lanes __attribute__((vector_size(ABREAST * sizeof(double)), aligned(sizeof(double)), may_alias));

/* What fire makes of one target. */
typedef struct {
    const double *chance;
    const whole *after;
    whole count;
    double unharmed, harmed;
    double always;                     /* room for the chance, and for `after`, if nobody fires */
    whole itself;
} outcomes;

/* The mass after a row's volleys: [column after, row after], and the columns that it has reached. For each column there
   is room for a few rows more: see stride_of. */
typedef struct {
    double *mass;
    whole low, high;
} heap;

/* Room for the work on one row. */
typedef struct {
    outcomes kill, lose, strike_kill, strike_lose;
    heap here, between;
    double *weight;
} room;

static inline whole stride_of(whole outcomes) { return (outcomes + ABREAST - 1) / ABREAST * ABREAST; }

int make_room(room *r, const field *f, whole payoffs);
void clear_room(room *r, const field *f);
void find_outcomes(outcomes *found, const fire *f, whole shooter, whole target, double *work);

static inline whole outcomes_of(const fire *f, whole target) {
    return f ? f->first_outcome[target + 1] - f->first_outcome[target] : 1;
}

static inline const whole *rows_after(const fire *f, whole row, whole *itself) {
    *itself = row;
    return f ? f->after + f->first_outcome[row] : itself;
}

static inline const meeting *meeting_of(const field *f, whole row, whole kind) {
    return f->meetings + f->row_kind[row] * f->kinds + kind;
}

static inline whole quiet_cell(const field *f, const meeting *m, whole row, whole column) {
    return (m->quiet_rows ? m->quiet_rows[row] : row) * f->columns
        + (m->quiet_columns ? m->quiet_columns[column] : column);
}

#endif
