"""Asks back in a sentence where a phrase does not say enough."""

from bot.languages import N_, Translation, _

DICE_ALONE = "dice alone"
SENTENCES = {
    "no armies": N_("How many armies are there on each side?"),
    "how many": N_("How many units of each kind are there?"),
    "one number": N_("That is the number of one side only. What is the other?"),
    "who attacks": N_("Who attacks?"),
    "third number": N_("What is the third number? Several territories are read in the order in which they fall."),
    "units against a number": N_("One side has units, the other only a number. Which units are those?"),
    "one army": N_("That is one army only. Which units are on the other side?"),
    "leave": N_("Do these stay behind from the start, or does the attack stop with them?"),
    "a number is left": N_("I don't know what to do with all these numbers."),
    "so many ships": N_("How many ships of each kind are there?"),
    "what comes next": N_("Which army comes after the first?"),
    "which faces": N_("Which faces does the die have?"),
    "through with how many": N_("How many armies attack?"),
    "points beside a battle": N_("Do you mean a battle, or a raid on a factory?"),
    "which dice": N_("Which dice does each side roll?"),
    "no word between the sides": N_("Where does one side end and the other begin? Put `vs` between them."),
    "which variant": N_("Which variant do you mean?"),
    "which rules": N_("That doesn't name all the options. Add them, or paste the battle line from the same answer."),
    "which units": N_("Which units does each side have?"),
    "which side": N_("Which side is that about?"),
    "strafe": N_("When does the attacker retreat? Say after how many rounds, for example `rounds:1`."),
    "which army": N_("Which army does each wave fight?"),
    "a battle beside another question": N_("That is more than one question. Ask one at a time."),
    "a chance beside a battle": N_("Do you want the odds, or the armies for this chance?"),
    "need against how many": N_("How many armies are on the other side?"),
    "how many dice": N_("How many dice does each side roll?"),
    DICE_ALONE: N_("I roll battles: how many armies are there on each side?"),
    "a raid": N_("How many bombers are there, and how much damage can the factory take?"),
    "two plans": N_("Type two plans with `or` between them."),
    "the second plan": N_("What is different in the second plan?"),
    "which attacks": N_("Which units attack each territory?"),
    "another command": N_("Another command answers that."),
    "a preset beside a battle": N_("Do you mean the preset, or the numbers?"),
    "which start": N_("Where does the attack start?"),
    "which targets": N_("Which territories do you want?"),
    "whose territory": N_("Which territories are yours, and which ones do you attack?"),
    "whose garrisons": N_("Which number belongs to which territory?"),
    "how many start": N_("How many armies attack?"),
    "out of reach": N_("The attack can't reach all these territories from there."),
    "which territory": N_("Which territory is worth that much? Add `value:3 indonesia` to a line."),
    "too long": N_("That is too long for a battle."),
}
"""The sentences that ask back, by the reasons of `NotClearError`."""
UNKNOWN = "what is "
"""How the reason begins where a word is not known."""


def sentence_for(why: str) -> Translation:
    """Return the sentence that asks for what is missing; a reason that the notation gives is one already."""
    if why.startswith(UNKNOWN):
        return _("I don't know `{word}`.", word=why.removeprefix(UNKNOWN).replace("`", "'"))
    return _(SENTENCES.get(why, why) or N_("I don't understand that."))
