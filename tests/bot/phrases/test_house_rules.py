"""House rules as players say them: dice, units of a table and rules of other editions, in every language."""

import pytest

from bot.phrases.after.reader import understand_after
from bot.phrases.reader import understand
from bot.rooms import ROOMS
from tests.helpers.cases import each

TABLE = {"ours": "unit:zep=4/1/11/air/hits2"}
"""A preset with the units of a table."""


@each(
    [
        ("12 vs 9, defender rolls 3 dice and keeps the best 2", "12 9 ddice:3k2"),
        ("12 gegen 9, Angreifer wirft vier Würfel und behält die besten drei", "12 9 adice:4k3"),
        ("12 contra 9, el defensor tira 3 dados y se queda con los 2 mejores", "12 9 ddice:3k2"),
        ("12 против 9, защитник бросает 3 кубика и берёт 2 лучших", "12 9 ddice:3k2"),
        ("12 vs 9, the attacker rerolls 1s once", "12 9 arerolls:1 arerollonce"),
        ("12 vs 9, the attacker rerolls all 1s once", "12 9 arerolls:3 arerollonce"),
        ("12 gegen 9, der Verteidiger würfelt alle Einsen neu", "12 9 drerolls:2"),
        ("12 vs 9, the defender has the bonus die, best two of three", "12 9 ddice:3k2"),
        ("12 vs 9, he takes the worst two of three", "12 9 ddice:3kl2"),
        ("12 vs 9, three defence dice, best two count", "12 9 ddice:3k2"),
        ("12 vs 9, one attack die is a d8", "12 9 adice:8,6,6"),
        ("12 vs 9, late defence with a bunker", "12 9 variant:bunker late"),
        ("12 vs 9, bunker, late", ""),
        ("I attack with 12 from my bunker, he has 9", ""),
        ("12 gegen 9, der Angreifer darf Einsen einmal neu würfeln", "12 9 arerolls:1 arerollonce"),
        ("12 gegen 9, der Verteidiger bekommt +1 auf beide Würfel", "12 9 dbonus:1,1"),
        ("12 против 9, защитник получает +1 на оба кубика", "12 9 dbonus:1,1"),
        ("2 sub vs 2 sub, subs only strike first when attacking", "2 sub vs 2 sub rule:subs-strike-attacking"),
        ("2 fig gegen 2 sub, Jäger treffen U-Boote auch ohne Zerstörer", "2 fig vs 2 sub rule:planes-hit-subs"),
        ("2 ainf 1 bat contra 3 inf, lo bombardeado no dispara", "1 bat 2 ainf vs 3 inf rule:bombard-first"),
        (
            "3 sub vs 3 sub, my subs submerge after the first round only",
            "3 sub submerge vs 3 sub rule:submerge-after",
        ),
        ("2 des gegen 1 bat, er lässt 3 fig aufsteigen, 1940", "2 des vs 3 fig 1 bat variant:1940"),
        ("3 mechs against 4 inf, a mech is 1/2/4", "3 mech vs 4 inf unit:mech=1/2/4"),
        ("3 inf 2 Panzer gegen 4 inf, Panzer bei uns 3/2/5", "3 inf 2 arm vs 4 inf unit:arm=3/2/5"),
        ("2 zeppelins (4/1/11) and 3 inf vs 4 inf", "3 inf 2 zeppelin vs 4 inf unit:zeppelin=4/1/11"),
        ("2 zeps and 3 inf against 4 inf with ours", "3 inf 2 zep vs 4 inf unit:zep=4/1/11/air/hits2"),
        (
            "4 inf 2 mech gegen 5 inf (mech: Preis 4, Angriff 1, Verteidigung 2)",
            "4 inf 2 mech vs 5 inf unit:mech=1/2/4",
        ),
        ("attacker rolls 3d8, defender rolls 2d6, 12 v 9", "12 9 adice:8,8,8"),
        ("он атакует мои 9 своими 12, у меня +1 на оба кубика", "12 9 dbonus:1,1"),
        ("he hits my 9 with 12, I roll 2d8", "12 9 ddice:8,8"),
        ("he attacks my 12 with 9, I roll 4 dice and keep 3", "9 12 ddice:4k3"),
        ("2 cav and 3 inf vs 5 inf, cav is 3/1/4", "3 inf 2 cav vs 5 inf unit:cav=3/1/4"),
        ("12 contra 9, él tira tres y se queda con dos", "12 9 ddice:3k2"),
        ("12 vs 9, both sides reroll 1s", "12 9 arerolls:1 drerolls:1"),
        ("10 v 7 castle and marshal", "10 7 variant:castle,marshal"),
        ("4 subs attack 1 des 2 subs and submerge as soon as they can", "4 sub submerge vs 2 sub 1 des"),
        ("3 sub vs 3 sub, my subs submerge after 2 rounds", ""),
        ("3 subs vs 2 cruisers, one sub submerges", ""),
        ("my 3 subs vs his 2 subs and a destroyer, subs submerge", ""),
        ("5 inf vs 4 inf then 3 arm 2 inf, I lose the tanks first", ""),
        ("5 inf vs 4 inf, then he counterattacks with 5 inf, I leave after 1 round", ""),
        ("I attack with 5 inf, he defends with 4 inf and leaves after 2 rounds", "5 inf vs 4 inf dretreat:2"),
        ("5 inf against 4 inf that retreat after 2 rounds", ""),
        ("attacker: 5 inf; defender: 4 inf, leaves after 2 rounds", "5 inf vs 4 inf dretreat:2"),
        ("attacker: 5 inf, leaves after 2 rounds; defender: 4 inf", "5 inf vs 4 inf rounds:2"),
        ("mis 5 inf contra sus 4 inf, se retira después de 2 rondas", "5 inf vs 4 inf dretreat:2"),
        ("meine 5 inf gegen 4 inf, zieht sich nach 2 Runden zurück", "5 inf vs 4 inf dretreat:2"),
        ("моя 5 пехоты против 4 пехоты, отступает после 2 раундов", "5 inf vs 4 inf dretreat:2"),
        ("my defenders reroll 1s, he hits me with 14, I got 11", "14 11 drerolls:1"),
        ("12 v 9 +1 to highest die def", "12 9 dbonus:1"),
        ("12v9 highest die gets plus 2 for att", "12 9 abonus:2"),
        ("12 v 9 -1 to his dice, min 1", "12 9 dbonus:-1,-1 dclamp:1..6"),
        ("12 v 9 def max die 5", "12 9 dclamp:1..5"),
        ("12v9 d10 vs d8", "12 9 adice:10,10,10 ddice:8,8"),
        ("12 v 9 house rule: defender wins only on higher", "12 9 ties:attacker"),
        ("12 gegen 9, vert 3 Würfel", "12 9 dice:3v3"),
        ("12 v 9 first round +1", ""),
        ("9 v 7 first roll i get 4 dice", ""),
        ("9 v 7 only top die counts", "9 7 adice:3k1 ddice:2k1"),
        ("2210 10 v 7 nuke commander me", "10 7 variant:2210-attack"),
        ("12 v 9 ot starwars bomber me fighter him", "12 9 bombers:1 dfighters:1"),
        ("can i take 3 in a row 4 2 5 w 17", "17 > 4 > 2 > 5 leave:1"),
        ("8 inf 3 arm vs 7 inf, I bail after the first round if it goes badly", ""),
        ("12 ours vs 9 theirs", "12 9"),
        ("12 vs 9, sixes explode once", "12 9 aexplosions:1 dexplosions:1"),
        ("I defend with 9 vs 12, my sixes explode once", "12 9 dexplosions:1"),
        ("12 gegen 9, explodierende Würfel bis zu 3 mal", "12 9 aexplosions:3 dexplosions:3"),
        ("12 contra 9, mis seises explotan hasta 3 veces", "12 9 aexplosions:3"),
        ("12 против 9, кубики взрываются один раз", "12 9 aexplosions:1 dexplosions:1"),
        ("12 vs 9, how often is unknown: exploding dice", ""),
        ("12 vs 9, +1 on my leader's own die", "12 9 aleaderbonus:1"),
        ("12 vs 9, his leader rolls a d8", "12 9 ddice:8,6"),
        ("12 vs 9, attacker rerolls ones until none is left", "12 9 arerolls:3"),
        ("I defend with 9 vs 12, I reroll ones once", "12 9 drerolls:1 drerollonce"),
        ("12 contra 9, el atacante repite los unos una vez", "12 9 arerolls:1 arerollonce"),
        ("12 против 9, атакующий перебрасывает единицы только один раз", "12 9 arerolls:1 arerollonce"),
        ("12 vs 9, exploding dice up to 2 times for the defender", "12 9 dexplosions:2"),
        ("7 vs 4, warzone with 16% luck", "7 4 variant:warzone luckmodifier:16%"),
        ("7 gegen 4, Warzone ohne Glück", "7 4 variant:warzone-straight"),
        ("12 vs 9 risk europe", "12 9 variant:risk-europe"),
        ("12 and 8 against 9, can he hold it?", "12, 8 > 9"),
    ]
)
def test_a_house_rule_is_read(said: str, line: str) -> None:
    assert understand(ROOMS, said, saved=TABLE).line == line


@pytest.mark.parametrize(
    ("said", "offered"),
    [
        ("12 vs 9, his sixes explode", ("12 9 dexplosions:1", "12 9 dexplosions:5")),
        ("12 gegen 9, explodierende Würfel", ("12 9 aexplosions:1 dexplosions:1", "12 9 aexplosions:5 dexplosions:5")),
        ("12 vs 9 keeps best two", ("12 9 adice:3k2", "12 9 ddice:3k2")),
        ("he attacks my 12 with 9, I keep the best two", ("9 12 ddice:3k2", "9 12 ddice:4k2")),
        ("12 vs 9 with 3d8", ("12 9 adice:8,8,8", "12 9 ddice:8,8,8")),
        ("6 inf vs 5 inf, keeping a unit", ("6 inf keep:1 vs 5 inf", "6 inf vs 5 inf retreat:units<=1")),
        (
            "attacker: 5 inf, defender: 4 inf, leaves after 2 rounds",
            ("5 inf vs 4 inf dretreat:2", "5 inf vs 4 inf rounds:2"),
        ),
        ("12 vs 9 and keep at least 3 to hold it", ("12 9 stop:3", "12 9 left:3+")),
        ("7 v 4 but i wanna keep 3", ("7 4 stop:3", "7 4 reserve:3", "7 4 left:3+")),
        ("12v9 both +1", ("12 9 abonus:1 dbonus:1", "12 9 abonus:1,1,1 dbonus:1,1")),
        (
            "3 inf 1 arm v 4 inf, i pull back after 1",
            ("3 inf 1 arm vs 4 inf rounds:1", "3 inf 1 arm vs 4 inf retreat:units<=3"),
        ),
        (
            "my 8 inf 2 arm v 6 inf he leaves after 1",
            ("8 inf 2 arm vs 6 inf dretreat:1", "8 inf 2 arm vs 6 inf dretreat:units<=5"),
        ),
        ("war, 12 vs 9", ("12 9 variant:war",)),
        ("2 cru 1 bat vs 2 des, uk scrambles 3 fig", ("2 cru 1 bat vs 3 fig 2 des variant:1940",)),
        ("castle risk", ("/help castle", "/help general", "/help marshal")),
        ("12 gegen 9, kann China mit 8 zurückschlagen", ("12 9",)),
        ("20 gegen 5/4/2", ("20 > 5 > 4 > 2 leave:1",)),
    ],
)
def test_a_rule_that_can_be_played_in_several_ways_is_asked_back(said: str, offered: tuple[str, ...]) -> None:
    understood = understand(ROOMS, said)
    assert not understood.line
    assert tuple(offer.line for offer in understood.offers if not offer.without) == offered


@each(
    [
        ("12 9", "sixes explode", ("12 9 aexplosions:1 dexplosions:1", "12 9 aexplosions:5 dexplosions:5")),
        (
            "3 inf 1 arm vs 4 inf",
            "keep a unit",
            ("3 inf 1 arm keep:1 vs 4 inf", "3 inf 1 arm vs 4 inf retreat:units<=1"),
        ),
        (
            "12 9 variant:bunker",
            "plus a fortification",
            ("12 9 variant:fortification", "12 9 variant:bunker,fortification"),
        ),
    ]
)
def test_a_follow_up_that_can_mean_several_rules_is_asked_back(after: str, said: str, offered: tuple[str, ...]) -> None:
    understood = understand_after(ROOMS, said, after)
    assert ("", *(offer.line for offer in understood.offers)) == (understood.line, *offered)


def test_the_value_of_an_unknown_option_is_no_army() -> None:
    for option in ("dretreat:2", "retreat:2"):
        assert [*understand(ROOMS, f"12 9 {option}").offers] == [("12 9", option), ("9 12", option)]
