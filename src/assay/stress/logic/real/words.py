"""Words beside which an added or dropped part does more than narrow or widen what is said."""

NOT_A_KIND = frozenset({
    *("fake", "former", "alleged", "potential", "possible", "apparent", "artificial", "imaginary", "mock", "toy"),
    *("supposed", "would-be", "so-called", "future", "past", "ex", "pseudo", "counterfeit", "hypothetical", "near"),
    *("likely", "unlikely", "presumed", "suspected", "putative", "virtual", "fictional", "false", "model"),
    *("ostensible", "certain", "various", "usual", "mutual", "appropriate", "respective", "similar", "particular"),
    *("numerous", "countless", "multiple", "frequent", "occasional", "additional", "sufficient"),
    *("attempted", "aspiring", "prospective", "planned", "proposed", "intended", "failed", "onetime", "one-time"),
    *("acting", "honorary", "deputy", "vice", "assistant", "imitation", "replica", "dummy", "fictitious"),
    *("mythical", "bogus"),
    *("sham", "faux", "phony", "forged", "simulated", "purported", "self-proclaimed", "missing", "nonexistent", "wax"),
    *("actual", "real", "true", "genuine", "mere", "very", "entire", "complete", "full", "favorite", "favourite"),
    *("exact", "stuffed", "plastic", "same", "other", "only", "first", "last", "next", "more", "less", "most"),
    *("least", "few"),
    *("many", "several", "much", "enough", "such", "own", "second", "third", "fewer", "worse", "better", "no", "any"),
    *("every", "each", "all", "some", "both", "half", "non", "main", "sole", "whole", "average", "total", "different"),
})  # fmt: skip
"""Words before a noun that do not make a kind of it: they may deny it, pick one, compare or count."""
HEDGES = frozenset({
    *("not", "n't", "never", "only", "almost", "nearly", "hardly", "barely", "scarcely", "rarely", "seldom", "even"),
    *("probably", "possibly", "maybe", "perhaps", "allegedly", "reportedly", "usually", "often", "sometimes", "no"),
    *("generally", "typically", "normally", "mostly", "mainly", "partly", "about", "around", "approximately", "just"),
    *("roughly", "too", "so", "also", "still", "yet", "already", "apparently", "seemingly", "supposedly", "likely"),
    *("as", "more", "less", "most", "least", "enough", "rather", "ever", "else", "however", "therefore", "thus"),
    *("then", "alone", "first", "second", "third", "together"),
    *("occasionally", "frequently", "primarily", "virtually", "practically", "unlikely", "merely", "exactly"),
})  # fmt: skip
"""Adverbs that do not just tell more: they deny, weaken, limit or connect."""
EXCEPTING = frozenset(
    {
        "except",
        "but",
        "besides",
        "unlike",
        "than",
        "like",
        "as",
        "despite",
        "if",
        "unless",
        "because",
        "although",
        "though",
        "while",
        "since",
        "whether",
    }
)
"""Words that begin a phrase that does more than describe."""
PREPOSITIONS = frozenset({"IN", "TO"})
RELATIVES = frozenset({"who", "which", "that", "where", "whose", "whom"})
JOINS = frozenset({"and", "but", "or", "as well as", "plus"})

JOINT = frozenset({
    *("between", "combination", "total", "combined", "together", "respectively", "mixture", "mix", "consists"),
    *("consist", "consisted", "composed", "comprises", "comprised", "each", "other", "sum", "same", "either", "among"),
    *("collectively", "jointly", "altogether", "respective", "alternately", "whether", "versus", "pair", "couple"),
    *("called", "named", "titled", "entitled", "name", "title", "renamed", "known", "refers", "term"),
    *("mix", "mixes", "mixed", "blend", "blended", "married", "marry", "met", "meet", "carried", "lifted", "distance"),
    *("population", "area", "circulation", "joint", "jointly", "gathered", "collided", "separated", "collaborated"),
    *("average", "range", "ranging", "versa", "only", "equal", "combine", "combines", "divided", "shared", "share"),
})  # fmt: skip
"""Words that speak of several together: what is said of all of them need not hold of some."""
LOOSE = frozenset({
    *("can", "could", "may", "might", "usually", "often", "sometimes", "generally", "typically", "called", "known"),
    *("must", "should", "would", "will", "whether", "any", "either", "named", "mostly", "normally", "or", "if"),
})  # fmt: skip
"""Words beside which "or" may mean that all are possible, or that two names are used for one thing."""
BE = frozenset({"is", "are", "'s", "'re"})
HAVE = frozenset({"has", "have", "'ve"})
PASSIVE = frozenset({"was", "were", "had"})
EXCEPTED = frozenset(
    {"none", "nothing", "nobody", "all", "everything", "anything", "everybody", "anybody", "no", "one"}
)
"""Words after which "but" means "except"."""
QUANTITIES = frozenset(
    {"more", "fewer", "less", "greater", "higher", "lower", "later", "earlier", "so", "not", "older"}
)
"""Words after "or" that give a range of numbers, not an alternative."""
LIMITING = frozenset({
    *("only", "except", "besides", "unlike", "else", "merely", "solely", "excluding", "alone", "even", "unless"),
})  # fmt: skip
"""Words that say what something is true of and of nothing else, or what it is not true of."""
ATTITUDES = frozenset({
    *("think", "believe", "suppose", "guess", "assume", "imagine", "dream", "expect", "hope", "wish", "want", "fear"),
    *("like", "love", "hate", "enjoy", "prefer", "dislike", "adore", "seek", "intend", "plan", "pretend", "claim"),
    *("suspect", "seem", "recommend", "suggest", "demand", "ask", "order", "promise", "worry"),
})  # fmt: skip
"""Verbs that tell what somebody thinks, wishes or likes: it need not be so, and may be meant in general."""
STATES = frozenset({
    *("know", "need", "require", "contain", "cost", "mean", "belong", "own", "deserve", "depend", "understand"),
    *("consist", "be", "have", "eat", "live", "love", "like", "hate", "want", "make", "help", "cause", "take"),
    *("listen", "become"),
})  # fmt: skip
"""Verbs that, in the present tense, mostly tell what is always so."""
COLOURS = frozenset(
    {"red", "blue", "green", "yellow", "black", "white", "brown", "orange", "pink", "purple", "grey", "gray", "silver"}
)
EXHAUSTING = frozenset({"all", "entire", "whole", "every", "each", "alone", "sole", "total"})
"""Words beside which nobody and nothing else can be added."""
