"""The notation: text to Battle and back.

    12 9 bombers:2 stop:4               the attacker's number, the defender's, then options in any order
    12 fighters:1 vs 9 capitals:1       after "vs", options belong to the defender
    20 > 5 > 4 > 2 leave:1              a path: each territory with its defenders, and options of its own
    3 inf 2 arm vs 5 inf 1 aa           Axis & Allies: units with their numbers (armies.py)
    3 inf vs 5 inf then hold 2 arm      several waves: who comes next, and who attacks those that have taken it
    12 9 bombers:2 || bombers:1         two plans to be compared (plans.py)

`parse` reads a line, `write` gives the canonical line of a battle or a path, and parsing that gives it back. The
notation is public: a line that once worked keeps working.
"""
