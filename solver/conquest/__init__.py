"""Territories on a map that are to be conquered.

A module calls modules of the rows below it, and sometimes one of its own row.

| Modules | What they do |
|---|---|
| game | the entry in the registry of games |
| play, reinforcements, hold_odds | best play of live turns; where to place new armies; taking to hold |
| planned; odds | best plans of live turns in older logs; the odds of a turn, and the armies that it needs |
| held; whole_fights, routes, worths | worths of states: to take and hold; of large turns, with bounds; of all others |
| stands, holding | the chance that what is taken stands; the question with `hold` and `counter` |
| live_turn; fight | the rules of live turns; those of older logs |
| shares, trees | which front fights which targets: the best way; a good way |
| plan; turn | a typical turn: if each attack goes on to its end; if each throw may come from any front |
| phase; fronts | the states of a turn and its throws; the worth of each front that fights to the end |
| board, conquest | the map as bits; the question without `hold` |
"""
