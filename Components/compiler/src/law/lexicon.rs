//! The words that reading turns on. Lists, not cleverness: a word that is missing here is added here.

/// Verbs that open an order when they stand first, and are seldom anything else there.
pub(crate) const VERBS: &[&str] = &[
    "abort", "abstain", "enrich", "prep", "prime", "assist", "attempt", "behave", "commence", "comply", "concentrate", "consume", "contact", "contribute", "cycle", "detail", "document", "empower", "entrust", "expire", "facilitate", "grow", "hyphenate", "imagine", "inherit", "initiate", "leave", "level", "negate", "neutralize", "phrase", "picture", "reconstruct", "reinforce", "relax", "replenish", "rest", "round-trip", "sit", "speak", "spec", "stagger", "stand", "step", "straighten", "systematize", "tidy", "transition", "venture", "watermark", "answer", "narrate", "adjudicate", "address", "commit", "design", "honour", "touch", "anchor", "cover", "lean", "carry", "chain", "chunk", "coerce", "compact", "contrast", "credit", "cap", "customize", "dive", "dig", "drain", "encapsulate", "encrypt", "feed", "flatten", "freeze", "gate", "hash", "hint", "honor", "hover", "hunt", "interleave", "learn", "loosen", "mask", "memoize", "negotiate", "nudge", "onboard", "overcome", "pivot", "pluck", "ponder", "pool", "probe", "proxy", "quarantine", "recap", "recurse", "regroup", "repair", "replay", "rollback", "sample", "seed", "segment", "shard", "shrink", "shut", "sketch", "slice", "snapshot", "space", "spin", "stack", "steer", "step", "stitch", "suppress", "survey", "tackle", "tap", "template", "thread", "throttle", "tolerate", "transcribe", "transfer", "traverse", "triage", "truncate", "wire", "withdraw", "withhold", "yield", "source", "act", "align", "bundle", "count", "curate", "craft", "downgrade", "downplay", "echo", "form", "hypothesize", "inspect", "label", "nest", "omit", "overwrite", "pace", "reassess", "recite", "reframe", "reorganize", "restyle", "scope", "self-review", "skip", "stash", "unblock", "vendor", "weigh", "accept", "accompany", "account", "achieve", "acknowledge", "acquire", "activate", "adapt", "add", "adhere",
    "adjust", "adopt", "advise", "agree", "aim", "align", "allocate", "allow", "amend", "analyse", "analyze", "animate", "annotate",
    "announce", "anticipate", "append", "apply", "approach", "approve", "arrange", "ask", "assemble", "assert", "assess", "assign",
    "assume", "attach", "audit", "authenticate", "author", "automate", "await", "avoid", "backport", "balance", "base", "be", "become", "begin",
    "bind", "bootstrap", "brainstorm", "break", "bring", "browse", "build", "bump", "bundle", "calculate", "call", "cancel", "capture",
    "categorize", "center", "challenge", "change", "check", "choose", "cite", "clarify", "classify", "clean", "cleanup", "clear", "click",
    "clone", "close", "collapse", "collect", "combine", "come", "communicate", "compare", "compile", "complete", "compose", "compress", "compute",
    "concatenate", "conclude", "condense", "conduct", "configure", "confirm", "connect", "consider", "consolidate", "construct", "consult",
    "continue", "convert", "convey", "coordinate", "copy", "correct", "craft", "create", "critique", "cross-check", "cross-reference", "cut", "debug", "decide",
    "declare", "decompose", "decouple", "dedupe", "deduplicate", "default", "defer", "define", "delay", "delegate", "delete", "deliver",
    "demonstrate", "deny", "deploy", "deprecate", "derive", "describe", "deserialize", "destroy", "detect", "determine", "develop", "diagnose",
    "differentiate", "disable", "discard", "discover", "discuss", "dismiss", "dispatch", "display", "distill", "distinguish", "distribute", "divide", "do", "double-check",
    "download", "draft", "draw", "drill", "drive", "drop", "duplicate", "edit", "elaborate", "elevate", "eliminate", "email", "embed", "embrace", "emit",
    "emphasize", "employ", "enable", "encode", "encourage", "end", "enforce", "engage", "enhance", "ensure", "enter", "enumerate", "err", "escalate",
    "escape", "establish", "estimate", "evaluate", "examine", "exclude", "execute", "exercise", "exit", "expand", "expect", "explain", "explore",
    "export", "expose", "express", "extend", "extract", "factor", "fail", "favor", "favour", "fetch", "figure", "fill", "filter", "finalize", "find",
    "finish", "fire", "fix", "flag", "flush", "focus", "fold", "follow", "force", "forget", "format", "formulate", "forward", "frame", "free", "gather",
    "generate", "get", "give", "go", "grab", "grant", "grep", "ground", "group", "guarantee", "guard", "guide", "halt", "hand", "handle", "hardcode",
    "harden", "have", "help", "hide", "highlight", "hold", "hook", "identify", "ignore", "illustrate", "implement", "import", "improve",
    "include", "incorporate", "increase", "increment", "indent", "indicate", "infer", "inform", "inherit", "initialize", "inject", "inline", "insert", "insist", "inspect",
    "install", "instantiate", "instruct", "instrument", "integrate", "interpret", "interview", "introduce", "invent", "inventory", "investigate", "invite", "invoke",
    "isolate", "iterate", "join", "jot", "judge", "jump", "justify", "keep", "kill", "know", "label", "launch", "lay", "lead", "leave", "let",
    "leverage", "lift", "limit", "link", "lint", "list", "listen", "load", "localize", "locate", "lock", "log", "look", "loop", "lower", "maintain",
    "make", "manage", "manipulate", "map", "mark", "match", "maximize", "measure", "mention", "merge", "migrate", "mind", "minimize", "minify", "mirror", "mock",
    "model", "modify", "monitor", "mount", "move", "mutate", "name", "narrow", "navigate", "normalize", "note", "notice", "notify", "number", "obey", "observe", "obtain",
    "offer", "offload", "omit", "open", "operate", "optimize", "orchestrate", "order", "organize", "orient", "outline", "output", "overlap", "override", "overwrite", "own",
    "pack", "package", "pad", "paginate", "pair", "paint", "parallelize", "parameterize", "paraphrase", "parse", "partition", "pass", "paste", "patch", "pause", "perform",
    "permit", "persist", "pick", "pin", "ping", "pipe", "place", "plan", "play", "point", "polish", "poll", "populate", "port", "position", "post", "practice",
    "prefer", "prefix", "prepare", "prepend", "present", "preserve", "press", "pretend", "prevent", "preview", "prime", "print", "prioritize", "proceed", "process", "produce",
    "profile", "prohibit", "promise", "promote", "prompt", "proofread", "propagate", "propose", "protect", "prototype", "prove", "provide", "provision", "prune", "publish", "pull", "purge",
    "push", "put", "qualify", "quantify", "query", "question", "queue", "quit", "quote", "raise", "rank", "rate", "re-analyze", "re-check", "re-dispatch", "re-evaluate", "re-read",
    "re-review", "re-run", "re-test", "re-verify", "reach", "react", "read", "rebase", "rebuild", "recall", "receive", "recheck", "recognize", "recommend", "reconcile", "reconsider", "record", "recover",
    "redact", "redirect", "reduce", "refactor", "refer", "reference", "refine", "reflect", "reformat", "refresh", "refuse", "regenerate", "register", "reject", "relate", "release", "rely", "remain",
    "remember", "remind", "remove", "rename", "render", "reopen", "reorder", "repeat", "rephrase", "replace", "replicate", "reply", "report", "reproduce", "request", "require", "reread", "rerun",
    "research", "reserve", "reset", "resist", "resize", "resolve", "respect", "respond", "restart", "restate", "restore", "restrict", "restructure", "resume", "retain", "rethink", "retrieve", "retry", "return", "reuse", "revalidate", "reveal", "revert",
    "review", "revise", "revisit", "rewrite", "roll", "rotate", "round", "route", "run", "sanitize", "satisfy", "save", "say", "scaffold", "scale", "scan", "schedule", "scope", "scroll", "search", "seek", "select",
    "send", "separate", "serialize", "serve", "set", "share", "ship", "shorten", "show", "sign", "signal", "simplify", "simulate", "skim", "skip", "sleep", "smoke-test", "solve", "sort", "spawn", "specify", "spell", "spend", "split",
    "spot", "squash", "stage", "standardize", "start", "state", "stay", "stick", "stop", "store", "stream", "stress", "strip", "strive", "structure", "study", "style", "submit", "subscribe", "substitute", "suggest", "summarise", "summarize",
    "supply", "support", "surface", "suspect", "swap", "switch", "sync", "synchronize", "synthesize", "tag", "tailor", "take", "talk", "target", "teach", "tell", "terminate", "test", "thank", "think", "throw", "tie", "tighten",
    "toggle", "touch", "trace", "track", "transform", "translate", "treat", "trigger", "trim", "trust", "try", "tune", "turn", "tweak", "type", "uncomment", "understand", "undo", "uninstall", "unify", "unpack", "unset", "update",
    "upgrade", "upload", "use", "utilize", "validate", "value", "vary", "verify", "version", "view", "visit", "visualize", "wait", "walk", "want", "warn", "watch", "weigh", "whitelist", "widen", "work", "wrap", "write", "zip", "zoom",
];

/// Of these, the words that are as often nouns or adjectives: they order only when what follows reads like an object.
pub(crate) const NOUNISH: &[&str] = &[
    "account", "address", "approach", "audit", "author", "balance", "base", "break", "build", "bundle", "call", "capture", "center", "challenge", "change", "check", "clean", "clear", "clone", "close",
    "commit", "complete", "contact", "copy", "correct", "craft", "cut", "debug", "default", "delay", "design", "display", "document", "double-check", "draft", "drill", "drive", "drop", "duplicate", "edit", "email", "end", "escape",
    "estimate", "exercise", "exit", "export", "express", "factor", "figure", "filter", "finish", "fire", "fix", "flag", "focus", "fold", "force", "format", "forward", "frame", "free", "ground", "group", "guard", "guide", "hand", "handle", "help",
    "highlight", "hold", "hook", "import", "increase", "increment", "indent", "initial", "inline", "instrument", "interview", "inventory", "invite", "issue", "join", "judge", "jump", "key", "label", "launch", "lay", "lead", "leverage", "lift", "limit", "link", "lint", "list",
    "load", "lock", "log", "look", "loop", "lower", "map", "mark", "match", "measure", "mind", "mirror", "mock", "model", "monitor", "mount", "move", "name", "note", "notice", "number", "offer", "open", "order", "output", "overlap", "override", "own", "pack", "package", "pad", "pair", "paint",
    "parse", "pass", "paste", "patch", "pause", "permit", "pick", "pin", "ping", "pipe", "place", "plan", "play", "point", "polish", "poll", "port", "position", "post", "practice", "prefix", "present", "press", "preview", "prime", "print", "process", "produce", "profile", "promise", "prompt",
    "prototype", "pull", "push", "query", "question", "queue", "quote", "raise", "rank", "rate", "reach", "read", "record", "reference", "refresh", "release", "reply", "report", "request", "research", "reserve", "reset", "resume", "return", "review", "roll", "round", "route", "run", "scaffold", "scale", "scan", "schedule", "scope",
    "scroll", "search", "separate", "set", "share", "ship", "show", "sign", "signal", "sleep", "sort", "spot", "squash", "stage", "start", "state", "stick", "stop", "store", "stream", "stress", "strip", "structure", "study", "style", "supply", "support", "surface", "suspect", "swap", "switch", "sync", "tag", "talk", "target",
    "test", "think", "tie", "touch", "trace", "track", "transform", "trigger", "trim", "trust", "try", "tune", "turn", "tweak", "type", "update", "upgrade", "upload", "use", "value", "version", "view", "visit", "wait", "walk", "want", "warn", "watch", "work", "wrap", "zip", "zoom", "fail", "free", "shorten", "form", "count", "scope", "craft", "label", "pace", "nest", "stash", "act", "echo", "answer", "honour", "attempt", "contact", "cycle", "detail", "document", "level", "phrase", "picture", "rest", "spec", "stand", "transition", "prep", "venture", "cover", "lean", "chain", "chunk", "contrast", "credit", "cap", "drain", "feed", "freeze", "gate", "hash", "hint", "hunt", "pool", "probe", "proxy", "recap", "repair", "replay", "rollback", "sample", "seed", "segment", "shard", "sketch", "slice", "snapshot", "space", "spin", "stack", "step", "survey", "tap", "template", "thread", "transfer", "wire", "yield", "source", "compact",
];

/// Words after a nounish word that make it an order: what follows is an object or an adverbial.
pub(crate) const OBJECT_STARTS: &[&str] = &[
    "the", "a", "an", "all", "any", "each", "every", "this", "that", "these", "those", "your", "its", "their", "his", "our", "it", "them", "me", "us", "yourself", "only", "both", "no", "one", "two", "three", "in", "on", "at", "to", "with", "for", "from", "by",
    "against", "into", "through", "up", "down", "out", "over", "back", "off", "as", "if", "when", "whether", "what", "which", "how", "why", "where", "who", "before", "after", "until", "more", "most", "less", "fewer", "other", "some", "such",
    "existing", "new", "changed", "early", "often", "once", "twice", "again", "first", "together", "everything", "nothing", "anything", "something", "exactly", "across", "between", "around", "about", "like", "and", "or", "not", "instead", "multiple", "specific", "appropriate", "relevant", "proper", "clear",
    "recent", "whatever", "whichever", "here", "there", "inline", "even", "just", "too", "within", "without", "per", "via", "using", "every", "full", "actual", "current", "plain", "meaningful", "descriptive", "concrete", "real", "similar", "different", "small", "smaller", "short",
];

/// Finite verbs: a clause that holds one after its subject tells, it does not order.
pub(crate) const FINITE: &[&str] = &[
    "is", "are", "was", "were", "am", "isn't", "aren't", "wasn't", "has", "had", "does", "did", "doesn't", "didn't", "hasn't", "it's", "that's", "they're", "you're", "there's", "you've", "they've", "we're", "i'm", "i've", "gets", "makes", "becomes", "contains", "provides", "fails", "goes", "comes", "takes", "gives", "keeps", "lets", "allows", "creates", "helps", "requires", "includes", "depends", "exists", "happens", "seems", "carries", "informs", "expects", "says", "tells", "belongs", "defines", "describes", "represents", "applies", "adds", "removes", "generates", "produces", "reveals", "burns", "proves", "guarantees", "manages", "detects", "auto-detects", "sends", "prints", "writes", "wants", "knows", "loses", "beats", "knew", "got", "went", "came", "made", "became", "will", "would", "might", "cannot", "can't", "can", "could", "may", "must", "should", "shall", "won't", "wouldn't", "couldn't", "shouldn't", "mustn't", "have", "haven't", "do", "don't",
];

/// Verbs in the third person that are as often plural nouns: finite only in front of an object.
pub(crate) const FINITE_OR_PLURAL: &[&str] = &[
    "breaks", "builds", "calls", "causes", "changes", "checks", "clusters", "costs", "covers", "ends", "handles", "holds", "leads", "lives", "loads", "looks", "matches", "means", "needs", "opens", "passes", "reads", "returns", "runs", "saves", "sets", "shows", "stands", "starts", "stores", "supports", "tracks", "triggers", "updates", "used", "uses", "wins", "works",
];

/// Subjects that tell: a clause that opens with one of them orders nothing by itself.
pub(crate) const SUBJECTS: &[&str] = &[
    "it", "they", "this", "that", "these", "those", "there", "he", "she", "we", "i", "you", "it's", "they're", "that's", "there's", "you're", "you've", "we're", "i'm", "i'll", "they'll", "it'll", "someone", "people", "users", "which", "who",
];

/// Words that open a condition.
pub(crate) const CONDITIONS: &[&str] = &[
    "if", "when", "whenever", "unless", "before", "after", "once", "while", "until", "where", "wherever", "during", "without", "with", "in", "on", "at", "by", "for", "from", "based", "given", "as", "since", "because", "to", "upon", "throughout", "beyond", "besides", "depending", "whether", "under", "between", "outside", "inside", "rather", "instead", "per", "within", "prior", "similarly", "using", "only", "starting", "even", "whatever", "regardless", "assuming", "provided", "otherwise", "like", "through", "via", "except", "across", "unlike", "among", "of",
];

/// Words that open a sentence without changing what it orders.
pub(crate) const CONNECTIVES: &[&str] = &[
    "then", "also", "first", "firstly", "second", "secondly", "third", "next", "finally", "lastly", "now", "so", "and", "but", "or", "please", "however", "therefore", "thus", "hence", "additionally", "furthermore", "moreover", "instead", "likewise", "again", "just", "simply", "otherwise", "still", "yet", "meanwhile", "afterwards", "similarly", "importantly", "crucially", "critically", "generally", "typically", "optionally", "ideally", "preferably", "immediately", "always", "carefully", "explicitly", "systematically", "carefully", "briefly", "clearly", "strictly", "actively", "proactively", "deliberately", "quickly", "directly", "alternatively", "conversely", "conditionally", "repeatedly", "thoroughly", "faithfully", "strongly", "fully", "gently", "successfully", "specifically", "occasionally", "periodically", "regularly", "mentally", "manually", "automatically", "concisely", "completely", "silently", "politely", "privately", "gracefully",
];

/// Fillers: words whose loss changes nothing.
pub(crate) const FILLERS: &[&str] = &["please", "simply", "really", "very", "basically", "quite", "essentially", "obviously", "certainly", "definitely", "the", "a", "an", "your"];

/// Determiners: a word that is no known verb and stands first in front of one is a verb all the same.
pub(crate) const DETERMINERS: &[&str] = &["the", "a", "an", "your", "all", "each", "any", "every", "these", "those", "its", "their", "it", "them"];

/// Base forms that follow `to` or stand in `… and verify …`: nothing more is needed than membership.
pub(crate) fn is_verb(lower: &str) -> bool {
    table().contains(lower) || lower.strip_prefix("re-").or_else(|| lower.strip_prefix("re")).is_some_and(|base| base.len() > 3 && table().contains(base))
}

/// Whether a verb is as often a noun.
pub(crate) fn is_nounish(lower: &str) -> bool {
    NOUNISH.contains(&lower)
}

fn table() -> &'static std::collections::HashSet<&'static str> {
    static TABLE: std::sync::LazyLock<std::collections::HashSet<&'static str>> =
        std::sync::LazyLock::new(|| VERBS.iter().chain(["commit", "design", "document", "address", "contact", "issue", "key"].iter()).copied().collect());
    &TABLE
}
