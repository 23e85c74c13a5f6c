"""The small words of English that decide whether a clause claims what it says."""

NEGATIONS = {
    *("not", "n't", "n\u2019t", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "nowhere"),
    *("hardly", "barely", "rarely", "seldom", "scarcely", "anymore", "nt", "dont", "doesnt", "didnt", "isnt", "wasnt"),
    *("cant", "wont", "fail", "fails", "failed", "refuse", "refuses", "refused", "deny", "denies", "denied", "lack"),
    *("lacks", "lacked", "lacking", "prevent", "prevents", "prevented", "avoid", "avoids", "avoided", "reject"),
    *("rejects", "rejected", "doubt", "doubts", "doubted"),
}
NOT = {"not", "n't", "n\u2019t"}
EXCEPTIONS = {"without", "only", "except", "instead", "than", "few", "little", "unlikely", "longer", "less", "least"}
"""These turn what follows them, not what comes before."""
CONDITIONS = {"if", "whether", "unless", "suppose", "supposing", "assuming", "provided", "either", "versus", "vs"}
"""These open two possibilities."""
POSSIBLE = {
    *("may", "might", "can", "could", "ought", "maybe", "perhaps", "possibly", "potentially", "supposed"),
    *("supposedly", "allegedly", "wish", "wishes", "wished", "imagine", "pretend", "pretends", "pretended"),
    *("ca", "possibility", "possible", "possibilities", "depending", "wonder", "wonders", "wondered"),
}
CLAIMS = {"statement", "idea", "claim", "belief", "implication", "theory", "notion", "rumor", "hope", "fear"}
"""What follows these is not said to be so."""
WISHED = {"would", "should", "must", "'d", "\u2019d", "shall", "need", "needs", "needed", "want", "wants", "wanted"}
"""With these a thing that is picked out need not be there; what is said of a subject still excludes its opposite."""
SOME = {
    *("some", "any", "several", "certain", "various", "numerous", "other", "others", "another", "sometimes", "often"),
    *("occasionally", "someone", "somebody", "something", "anyone", "anybody", "anything", "many", "partly", "either"),
    *("different", "whichever", "whatever", "whoever", "half", "lot", "lots", "varies"),
    *("vary", "varied", "among"),
}
"""After these words both may be true: of some and of others, at one time and at another."""
MOSTLY = {"usually", "generally", "mostly", "probably", "likely"}
"""What is mostly so excludes its opposite, but leaves room for other things."""
TIMES = {"when", "whenever", "until", "till", "once", "where", "wherever", "while", "before", "after", "how", "why"}
"""What follows these may name one occasion of several."""
BREAKS = {",", ";", ":", "--", "-", "(", ")", "and", "but", "because", "although", "though", "whereas", "so", "since"}
"""A clause may end here, if there is a verb on both sides."""
DEGREES = {"as", "how", "too", "less", "least", "almost", "nearly", "that", "only", "half"} | {
    *("equally", "no", "any", "just", "merely", "otherwise", "else", "such", "what", "nothing"),
}
COMPARED = {"more", "most"}

BE = {"is", "are", "was", "were", "am", "'s", "'re", "'m", "\u2019s", "\u2019re", "\u2019m"}
LINKS = BE | {
    *("became", "becomes", "remain", "remains", "remained", "seemed", "seems", "seem", "looked", "looks", "feel"),
    *("feels", "felt", "sounded", "sounds", "stayed", "stays", "proved", "appeared", "appears"),
}
"""Verbs that say what follows them of their subject."""
BASE_LINKS = {"be", "been", "being", "become", "remain", "remained", "stay", "stayed", "seem", "feel", "look"} | {
    *("get", "getting", "gotten", "becoming", "growing"),
}
BECOMES = {"got", "gets", "get", "getting", "gotten", "grew", "grows", "growing", "turned"}
"""Verbs that say an adjective of their subject, but not a noun."""
HELPERS = {
    *("will", "would", "should", "must", "'ll", "\u2019ll", "has", "have", "had", "'ve", "\u2019ve", "'s", "\u2019s"),
    *("'d", "\u2019d", "wo", "did", "does", "do"),
}
"""Words before a verb like "be" that leave it so."""
APPEARS = LINKS | {
    *("has", "have", "had", "going", "used", "need", "needs", "out", "claims", "claimed", "said", "believed", "known"),
    *("considered", "thought", "found", "shown", "reported", "seen"),
}
"""Words before "to be" that leave it so."""
MAKES = {"make", "makes", "made", "find", "finds", "found", "keep", "keeps", "kept"}
"""Verbs of "make it easy"."""
HAS = {"has", "have", "had", "'ve", "\u2019ve"}
SERVES = {"makes", "make", "made", "covers", "cover", "plays", "play", "forms", "form", "represents", "represent"} | {
    *("constitutes", "constitute", "occupies", "occupy", "poses", "pose"),
}
"""Verbs that say of their subject what it is or does as a whole: "plays a major part"."""
LIES = {"lies", "lay", "stands", "stood", "situated", "located", "found", "lie", "stand", "housed", "set", "built"}
"""Verbs that say where their subject is."""

THE = {"the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their"}
POINTING = {"this", "that", "these", "those"}
INDEFINITE = {"a", "an"}

FINITE = {"VBZ", "VBD", "VBP", "MD"}
NOUNS = {"NN", "NNS", "NNP", "NNPS"}
PLURALS = {"NNS", "NNPS"}
BEFORE_NOUN = NOUNS | {"JJ", "JJR", "JJS", "VBG", "VBN", "CD"}
ADVERBS = {"RB", "RBR", "RBS"}
DESCRIBING = {"JJ", "JJR", "JJS", "VBN", "VBG"}
