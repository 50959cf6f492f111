/* The worth of every state of a turn on a map under best play: see phase.h. */

#include "phase.h"

static void take_front(state *s, whole front) {
    s->count--;
    for (whole i = front; i < s->count; i++) s->place[i] = s->place[i + 1], s->free[i] = s->free[i + 1];
}

whole put_front(phase *p, state *s, whole place, whole free) {
    if (s->count == MOST_FRONTS) return p->failed = TOO_MUCH_WORK, -1;
    whole i = s->count++;
    for (; i && s->place[i - 1] > place; i--) s->place[i] = s->place[i - 1], s->free[i] = s->free[i - 1];
    s->place[i] = (armies)place, s->free[i] = (armies)free;
    return i;
}

void take_empty_fronts(state *s) {
    for (whole i = 0; i < s->count;) {
        if (s->free[i]) i++;
        else take_front(s, i);
    }
}

void part_from(const phase *p, state *s, mask from, state *part) {
    mask inside = 0, new = from & s->left;
    while (new) {
        inside |= new;
        mask near = 0;
        for (mask t = new; t; t &= t - 1) near |= (mask)p->map.adjacent[lowest(t)];
        for (whole i = 0; i < s->count; i++)
            if (next_to(p, s, i) & new) near |= next_to(p, s, i);
        new = near & s->left & ~inside;
    }
    part->left = inside, part->count = 0;
    for (mask t = inside; t; t &= t - 1) part->garrison[lowest(t)] = s->garrison[lowest(t)];
    whole rest = 0;
    for (whole i = 0; i < s->count; i++) {
        const mask near = next_to(p, s, i);
        state *to = near & inside ? part : s;
        const whole at = to == part ? part->count++ : rest;
        rest += to == s && near;
        to->place[at] = s->place[i], to->free[at] = s->free[i];
    }
    s->left &= ~inside, s->count = rest;
}

double worth_of_state(phase *p, const state *s) {
    state rest = *s, part;
    double worth = p->map.adds ? 0.0 : 1.0;
    take_empty_fronts(&rest);
    while (rest.left && !p->failed) {
        next_part(p, &rest, &part);
        double own = 0.0;
        if (part.count) {
            const whole place = place_in_row(p, &part);
            const row *here = row_of(p, &part, place, place);
            if (!here) return 0.0;
            own = here->worth[place];
        }
        if (p->map.adds) worth += own;
        else if (!(worth *= own)) return 0.0;
    }
    return worth;
}

/* The worths of a state with `first` to `last` armies in one of its fronts. */
static void worths_of(phase *p, const state *s, whole front, whole first, whole last, double *worths) {
    state rest = *s, part;
    const mask near = next_to(p, s, front);
    rest.free[front] = last > 0;
    take_empty_fronts(&rest);
    if (last == 0 || !near) {
        worths[first] = worth_of_state(p, &rest);
        for (whole k = first + 1; k <= last; k++) worths[k] = worths[first];
        return;
    }
    part_from(p, &rest, near, &part);
    const double others = rest.left ? worth_of_state(p, &rest) : p->map.adds ? 0.0 : 1.0;
    if (p->failed || (!p->map.adds && !others)) {
        memset(worths + first, 0, sizeof(double) * (size_t)(last + 1 - first));
        return;
    }
    const whole end = part.count - 1, place = s->place[front];
    if (part.place[end] == place) {
        const row *here = row_of(p, &part, first, last);
        if (!here) return;
        memcpy(worths + first, here->worth + first, sizeof(double) * (size_t)(last + 1 - first));
    } else {
        whole own = 0;
        while (part.place[own] != place) own++;
        for (whole k = last; k >= first && !p->failed; k--) {
            state with = part;
            with.free[own] = (armies)k;
            worths[k] = worth_of_state(p, &with);
        }
    }
    if (p->map.adds ? others != 0.0 : others != 1.0)
        for (whole k = first; k <= last; k++) worths[k] = p->map.adds ? worths[k] + others : worths[k] * others;
}

static inline double better(double one, double other) { return one > other ? one : other; }

static void keep_best(double *best, const double *worths, whole count) {
    for (whole k = 0; k < count; k++) best[k] = better(best[k], worths[k]);
}

/* The worths after a front has captured a target with so many left, by the armies of the last front. */
static void capture(phase *p, const state *s, whole front, whole target, whole left, whole first, whole last,
                    double *best, double *worths) {
    state after = *s;
    after.left &= ~((mask)1 << target);
    const whole own = put_front(p, &after, target, 0);
    if (p->failed) return;
    const whole from = front + (own <= front), end = s->count - 1 + (own < s->count);
    const flag onward = (p->map.adjacent[target] & after.left) != 0, back = next_to(p, &after, from) != 0;
    for (whole k = first; k <= last; k++) best[k] = 0.0;
    for (whole moving = onward || back ? least(p->map.most_dice, left) : left; moving <= left; moving++) {
        if (!is_tried(p, moving, left)) continue;
        after.free[own] = (armies)free_in(p, target, moving), after.free[from] = (armies)(left - moving);
        worths_of(p, &after, end, first, last, worths);
        if (p->failed) return;
        keep_best(best + first, worths + first, last + 1 - first);
    }
    for (whole k = first; k <= last; k++) best[k] += gain_of(p, target);
}

/* The worths after the last front has captured a target, by the armies that it has left; none left is no capture. */
static void capture_from_last(phase *p, const state *s, whole target, whole first, whole last, double *best,
                              double *worths) {
    state after = *s;
    const whole dice = p->map.most_dice;
    if (!first) {
        after.garrison[target] = 0, after.count--;
        best[first++] = worth_of_state(p, &after);
        after.count++;
    }
    after.left &= ~((mask)1 << target);
    const whole own = put_front(p, &after, target, 0);
    if (p->failed) return;
    const whole end = s->count - 1 + (own < s->count);
    for (whole k = first; k <= last; k++) best[k] = 0.0;
    if (!next_to(p, &after, end)) {
        const whole fewest = free_in(p, target, least(dice, first));
        worths_of(p, &after, own, fewest, free_in(p, target, last), worths);
        for (whole k = first; k <= last; k++)
            for (whole moving = least(dice, k); moving <= k; moving++)
                if (is_tried(p, moving, k)) keep_best(best + k, worths + free_in(p, target, moving), 1);
    } else if (!(p->map.adjacent[target] & after.left)) {
        worths_of(p, &after, end, 0, most(last - dice, 0), worths);
        for (whole k = first; k <= last; k++) keep_best(best + k, worths, 1);
        for (whole staying = 1; staying <= last - dice; staying++)
            for (whole k = most(first, staying + dice); k <= last; k++)
                if (is_tried(p, k - staying, k)) keep_best(best + k, worths + staying, 1);
    } else {
        for (whole moving = last; moving && !p->failed; moving--) {
            const whole fewest = most(first - moving, 0);
            const whole staying = moving < dice ? 0 : least(last - moving, most_staying(p, moving));
            if (staying < fewest) continue;
            after.free[own] = (armies)free_in(p, target, moving);
            worths_of(p, &after, end, fewest, staying, worths);
            keep_best(best + moving + fewest, worths + fewest, staying + 1 - fewest);
        }
    }
    for (whole k = first; k <= last; k++) best[k] += gain_of(p, target);
}

/* The worths of one throw of a front that is not the last, by the armies of the last one. */
static void throw_worths(phase *p, const state *s, whole front, whole target, whole first, whole last, double *sum,
                         double *room) {
    const whole own = s->free[front], garrison = s->garrison[target];
    if (!garrison) {
        capture(p, s, front, target, own, first, last, sum, room);
        return;
    }
    const dice_law law = law_between(&p->dice, own, garrison);
    double *worths = room, *more = room + last + 1;
    memset(sum + first, 0, sizeof(double) * (size_t)(last + 1 - first));
    for (whole o = 0; o < law.count && !p->failed; o++) {
        const whole left = own - law.lost[2 * o], holds = garrison - law.lost[2 * o + 1];
        if (left && !holds) capture(p, s, front, target, left, first, last, worths, more);
        else {
            state after = *s;
            after.free[front] = (armies)left, after.garrison[target] = (armies)holds;
            worths_of(p, &after, s->count - 1, first, last, worths);
        }
        add_scaled(sum + first, worths + first, law.share[o], last + 1 - first);
    }
}

/* The worths of one throw of the last front with at most so many dice, without the outcomes that cost the defender
   nothing: they stay in the row. */
static void last_throw_worths(phase *p, const state *s, whole target, whole dice, whole first, whole last, double *sum,
                              double *room) {
    const whole garrison = s->garrison[target], end = s->count - 1, low = most(first - p->dice.most_lost[0], 0);
    double *worths = room, *more = room + last + 1;
    memset(sum + first, 0, sizeof(double) * (size_t)(last + 1 - first));
    if (!garrison) {
        capture_from_last(p, s, target, first, last, sum, worths);
        return;
    }
    for (whole beaten = 1; beaten <= least(garrison, p->dice.most_lost[1]) && !p->failed; beaten++) {
        if (beaten == garrison) capture_from_last(p, s, target, low, last, worths, more);
        else {
            state after = *s;
            after.garrison[target] = (armies)(garrison - beaten);
            worths_of(p, &after, end, low, last, worths);
        }
        for (whole k = first, alike; k <= last; k += alike) {
            const dice_law law = law_between(&p->dice, least(k, dice), garrison);
            alike = k < dice ? 1 : last + 1 - k;
            for (whole o = 0; o < law.count; o++)
                if (law.lost[2 * o + 1] == beaten)
                    add_scaled(sum + k, worths + k - law.lost[2 * o], law.share[o], alike);
        }
    }
}

/* The most armies of another front that is next to the same targets as the last one, and that front. */
static whole most_alike(const phase *p, const state *s, whole *front) {
    whole highest = 0;
    for (whole i = 0; i < s->count - 1; i++)
        if (s->free[i] > highest && next_to(p, s, i) == next_to(p, s, s->count - 1)) highest = s->free[i], *front = i;
    return highest;
}

/* Whether a front is like one before it, so that its throws are worth the same. */
static int is_repeated(const phase *p, const state *s, whole front) {
    for (whole i = 0; i < front; i++)
        if (s->free[i] == s->free[front] && next_to(p, s, i) == next_to(p, s, front)) return 1;
    return 0;
}

/* What the outcomes that cost the defender nothing add to the worth of a throw; `best` is that of the armies before. */
static double worth_of_miss(const phase *p, whole dice, whole garrison, const double *best) {
    double worth = 0.0;
    if (!garrison) return worth;
    const dice_law law = law_between(&p->dice, dice, garrison);
    for (whole o = 0; o < law.count; o++)
        if (!law.lost[2 * o + 1]) worth += law.share[o] * best[-law.lost[2 * o]];
    return worth;
}

/* Work out the places of a row from `first` to `last`, at least 1. */
static void fill_places(phase *p, const state *s, whole first, whole last, double *best) {
    const whole end = s->count - 1, size = last + 1, dice = p->dice.caps[0], fewest = p->map.pooled ? 1 : dice;
    const mask near = next_to(p, s, end);
    const whole edges = (dice + 1 - fewest) * __builtin_popcountll(near);
    double *sums = malloc(sizeof(double) * (size_t)(size * (edges + 3)));
    if (!sums) {
        p->failed = OUT_OF_MEMORY;
        return;
    }
    double *sum = sums + size * edges, *room = sum + size;
    memset(best + first, 0, sizeof(double) * (size_t)(size - first));
    for (whole i = 0; i < end; i++)
        for (mask t = is_repeated(p, s, i) ? 0 : next_to(p, s, i); t && !p->failed; t &= t - 1) {
            throw_worths(p, s, i, lowest(t), first, last, sum, room);
            keep_best(best + first, sum + first, size - first);
        }
    double *to = sums;
    for (mask t = near; t; t &= t - 1)
        for (whole d = fewest; d <= dice && !p->failed; d++, to += size)
            last_throw_worths(p, s, lowest(t), d, first, last, to, room);
    for (whole k = first; k <= last && !p->failed; k++) {
        double *from = sums + k;
        for (mask t = near; t; t &= t - 1)
            for (whole d = fewest; d <= dice; d++, from += size)
                best[k] = better(best[k], *from + worth_of_miss(p, least(k, d), s->garrison[lowest(t)], best + k));
    }
    free(sums);
}

whole place_in_row(const phase *p, state *s) {
    whole front = 0;
    const whole end = s->count - 1, highest = most_alike(p, s, &front);
    if (highest > s->free[end]) s->free[front] = s->free[end], s->free[end] = (armies)highest;
    return s->free[end];
}

/* Work out the worth of a row's place below all that are there. Another row has it, which is needed up to `last` too. */
static double worth_below(phase *p, const state *s, whole place, whole last) {
    state turned = *s;
    if (!place) {
        turned.count--;
        return worth_of_state(p, &turned);
    }
    turned.free[s->count - 1] = (armies)place;
    const whole highest = place_in_row(p, &turned);
    const row *here = row_of(p, &turned, highest, most(highest, last));
    return here ? here->worth[highest] : 0.0;
}

/* Work out the places of a row from `first` to `last`. Those below the armies of fronts that are alike are those of
   other rows. */
static void fill_row(phase *p, const state *s, row *here, whole first, whole last) {
    whole low = first;
    if (last >= here->count) low = least(first, most(here->count - p->dice.most_lost[0], 0));
    for (; here->first > low && !p->failed; here->first--)
        here->worth[here->first - 1] = worth_below(p, s, here->first - 1, last);
    if (last < here->count || p->failed) return;
    if ((p->map.states += last + 1 - here->count) > p->map.most_states) p->failed = TOO_MUCH_WORK;
    else fill_places(p, s, here->count, last, here->worth);
    here->count = (small)(last + 1);
}

row *row_of(phase *p, const state *s, whole first, whole last) {
    state ordered;
    if (p->any_twins) ordered = *s, order_targets(p, &ordered), s = &ordered;
    row *here = find_row(p, s);
    if (++p->map.work > p->map.most_work) p->failed = TOO_MUCH_WORK;
    if (p->failed) return NULL;
    if (here->first <= first && here->count > last) return here;
    whole front;
    if (!here->count) here->first = here->count = (small)most(most_alike(p, s, &front), 1);
    if (!widen_row(p, here, most(last + 1, here->count))) return NULL;
    fill_row(p, s, here, first, last);
    return p->failed ? NULL : here;
}
