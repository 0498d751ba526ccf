@0xde17f2e902c617d2;
# A program, packed: what a decision reads first stands in columns of numbers; each rule is a text that nobody touches until
# the rule is asked. The header before it (format number, hash) is `Components/pdp/src/pack/file.rs`.

struct Pack {
  label @0 :Data;                       # what it was packed from, in the words of whoever packs
  default @1 :UInt8;                    # what holds where no rule speaks: 0 allow, 1 approve, 2 block
  longestMs @2 :UInt64;                 # how far back chains look
  documents @3 :List(Document);
  honeypots @4 :Texts;                  # JSON
  zones @5 :List(Text);
  reserving @6 :List(UInt32);           # the rules that count the calls that they admit
  rules @7 :Texts;                      # JSON up to the tail, what is as in any rule left out
  documentOf @8 :List(UInt32);          # by rule
  overrides @9 :Groups;                 # by rule, the rules that it takes out
  literalPaths @10 :Texts;              # the arguments that literals are searched in
  literalPathOf @11 :List(UInt32);      # by rule, from 1; 0 where it has no literal
  literals @12 :Texts;                  # by rule
  hooks @13 :List(Hook);                # in the order of `Hook::ALL`
  notify @14 :Notify;
  tails @15 :Texts;                     # JSON, how rules end that are alike in it
  tailOf @16 :List(UInt32);             # by rule
  needed @17 :Texts;                    # by rule, what has to stand in an event, in the bytes of `necessary/bytes.rs`
}

# How notifications are queued and told.
struct Notify {
  dedupeMs @0 :UInt64;
  expiresMs @1 :UInt64;
  batch @2 :UInt32;
}

struct Document {
  isBounded @0 :Bool;
  maxFired @1 :UInt32;
  maxCalls @2 :UInt32;
}

# Texts behind each other, and where each ends.
struct Texts {
  ends @0 :List(UInt32);
  bytes @1 :Data;
}

# Lists behind each other, and where each ends.
struct Groups {
  ends @0 :List(UInt32);
  items @1 :List(UInt32);
}

# The rules of one hook, in the order in which they are asked: a rank is a place in `members`.
struct Hook {
  members @0 :List(UInt32);
  tools @1 :Texts;                      # the tools that rules name
  slots @2 :List(UInt32);               # their hash table: a tool from 1, 0 where it is empty
  own @3 :Groups;                       # by tool, the ranks of the rules that name nothing else
  any @4 :List(UInt32);                 # the ranks of the rules about any tool
  patterned @5 :List(UInt32);           # the ranks of the rules about patterns
  matcherOf @6 :List(UInt32);           # beside `patterned`
  matchers @7 :Texts;                   # JSON
}
