//! The stable codes of findings: one table, so that a number is given once.

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::Severity;

/// One row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct CodeEntry {
    /// `E0203`.
    pub id: &'static str,
    /// `unknown-predicate`.
    pub name: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it means and what to do, for `policy-engine explain`.
    pub explanation: &'static str,
}

/// A code: a row of [`CODES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code(&'static CodeEntry);

impl Code {
    /// `E0203`.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// `unknown-predicate`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The severity that findings of this code have by default.
    pub fn severity(self) -> Severity {
        self.0.severity
    }

    /// The explanation.
    pub fn explanation(self) -> &'static str {
        self.0.explanation
    }

    /// The code with this id or name, in any case.
    pub fn find(text: &str) -> Option<Self> {
        CODES
            .iter()
            .find(|code| code.id().eq_ignore_ascii_case(text) || code.name().eq_ignore_ascii_case(text))
            .copied()
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("code", self.id())?;
        map.serialize_entry("name", self.name())?;
        map.end()
    }
}

macro_rules! codes {
    ($($constant:ident $id:literal $name:literal $severity:ident $explanation:literal)*) => {
        impl Code {
            $(
                #[doc = concat!("`", $id, " ", $name, "`: ", $explanation)]
                pub const $constant: Self = Self(&CodeEntry {
                    id: $id, name: $name, severity: Severity::$severity, explanation: $explanation,
                });
            )*
        }

        /// Every code, in the order of its number.
        pub const CODES: &[Code] = &[$(Code::$constant),*];
    };
}

// 00xx any file · 01xx Markdown law · 02xx rules and expressions (part 2) · 03xx Cap'n Proto · 04xx Cargo · 05xx EDN and lessons
// 06xx compile · 07xx configuration and trust · 08xx publishing, lock and watch · 09xx harnesses
// 10xx sessions, contexts and artifacts · 11xx models
codes! {
    NOT_UTF8 "E0001" "not-utf8" Warning "The file holds bytes that are not UTF-8, or half of a UTF-16 pair. They are read as U+FFFD; everything else is read as it stands."
    BYTE_ORDER_MARK "E0002" "byte-order-mark" Note "The file starts with a byte order mark. It is ignored."
    EMPTY_FILE "E0003" "empty-file" Note "The file is empty: it states no law."
    TOO_LARGE "E0004" "too-large" Error "The file is larger than 64 MiB and was not read. Law that long cannot be followed; split it."
    UNREADABLE "E0005" "unreadable" Error "The file could not be read. The last good digest stays in force until it can."
    NOT_A_FILE "E0006" "not-a-file" Error "A source path is a directory or a device, not a file. The last good digest stays in force until a file stands there."
    LINK_LEAVES "E0007" "link-leaves-workspace" Warning "A symbolic link points outside the workspace. It is refused, so that a cloned repository cannot read other files into the rules."
    CHANGED_WHILE_READ "E0008" "changed-while-read" Note "The file changed while it was being read; it was read again."
    BINARY_FILE "E0009" "binary-file" Warning "The file holds NUL bytes, as binary files do. What could be read as text was read; the bytes stand as they are."
    LINK_CYCLE "E0010" "link-cycle" Note "A symbolic link leads back to a directory that holds it, or there are more links than are followed. It is passed over; what it leads to is read where it stands."
    NOT_TEXT "E0011" "not-text" Error "The file is not text that can be read: it is UTF-16, or much of it is NUL or no UTF-8. Save it as UTF-8; the last good digest stays in force until then."
    EMPTIED_FILE "E0012" "emptied-file" Error "A source that stated rules or facts says nothing now, as one does that is being written: it is empty, or nothing but its front matter is left. What it said last stays in force until it says something, or is deleted."
    LONG_LAW "E0013" "long-law" Warning "A law file is larger than 1 MiB. It is read whole, which takes a second or more for each of them, and nobody follows law that long. Split it, or leave it out if it is data."

    NO_FRONT_MATTER "E0101" "no-front-matter" Note "A SKILL.md has no front matter; its name is its folder's name."
    FRONT_MATTER "E0102" "front-matter" Warning "The front matter could not be read as `key: value` lines, or it is not closed. Its lines are passed over; one that is not closed ends with its leading keys, and what stands below is law."
    UNKNOWN_FRONT_MATTER_KEY "E0103" "unknown-front-matter-key" Note "The front matter has a key that is not known. It is ignored."
    SKILL_NAME "E0104" "skill-name" Error "A skill's name must be an identifier: letters, digits, `-`, `_` and `.`, at most 128 long, never a path. `workspace` is the name of the workspace's own law: a skill of that name is numbered `workspace.skill-N`."
    UNCLOSED_FENCE "E0105" "unclosed-fence" Warning "A code fence is never closed; everything after it is code, or text where headings stand in it."

    UNKNOWN_SKILL "E0106" "unknown-skill" Error "No skill has this name: neither law nor a folder of it stands in the workspace."
    SKILL_NAME_ODD "E0107" "skill-name-odd" Note "The front matter's `name` is no identifier: letters, digits, `-`, `_` and `.`, never a path. The folder's name is used."
    MERGE_CONFLICT "E0108" "merge-conflict" Error "A merge was left unfinished: the marks that git writes into a file stand in a source, and which side holds is not known. Keep one side, take the marks out; the last good digest stays in force until then. Marks that Markdown shows in a closed code fence are no finding."
    UNCLOSED_COMMENT "E0109" "unclosed-comment" Warning "A comment is never closed: everything after it, to the end of the file, is no law."
    FOREIGN_LAW "E0110" "foreign-law" Warning "Law is read in English. This one is hardly in English, and what it orders in another language is passed over."

    UNKNOWN_PREDICATE "E0203" "unknown-predicate" Error "A condition names a predicate that does not exist. It is refused, because a condition that is passed over would match more than was meant."
    GUARD_SYNTAX "E0210" "guard-syntax" Error "An expression does not parse. The rule that holds it does not load; `Library/grammar.md` holds the grammar."
    GUARD_NAME "E0211" "guard-name" Error "An expression names a variable or a field that is not there."
    GUARD_CALL "E0212" "guard-call" Error "An expression calls a function that is not there, or with other arguments than it takes."
    GUARD_PATTERN "E0213" "guard-pattern" Error "A regex, glob, path, time or day in an expression does not read, or cannot be matched in linear time."
    GUARD_TYPE "E0214" "guard-type" Error "An expression does not give what its place needs, such as true or false for a guard, or an operator is given what it can never take."
    GUARD_SIZE "E0215" "guard-size" Error "An expression is longer than 64 KiB, or nests deeper than 96 levels."
    GUARD_SUSPECT "E0216" "guard-suspect" Warning "A part of an expression always gives the same, such as a comparison of a number with a string."
    RULE_SYNTAX "E0220" "rule-syntax" Error "A file of rules does not parse. Its last good version stays in force."
    RULE_KEY "E0221" "rule-key" Error "A file of rules has a key that is not known where it stands. It is refused, because a condition that is passed over would match more than was meant."
    RULE_VALUE "E0222" "rule-value" Error "A value in a file of rules is missing, of the wrong type, or none of the words that are known there."
    RULE_ID "E0223" "rule-id" Error "A rule has no id, or one that is empty, longer than 200 characters, or holds control characters."
    RULE_DUPLICATE "E0224" "rule-duplicate" Error "Two rules of one set have the same id. Only `extends` replaces a rule by its id."
    RULE_PATTERN "E0226" "rule-pattern" Error "A pattern cannot be used: it does not parse, is too large, or needs look-around or back-references, which take more than linear time."
    RULE_SILENT "E0227" "rule-silent" Error "A rule neither decides nor does anything."
    RULE_INCLUDE "E0228" "rule-include" Error "A file that is included or extended is missing, lies outside the workspace, includes itself, or there are too many of them."
    UNKNOWN_DIALECT "E0229" "unknown-dialect" Error "A file of rules has no dialect: its name ends in none of `.yaml`, `.yml`, `.toml`, `.chatmd`, `.md`, `.xml` and `.edn`."
    PATTERN_KIND "E0230" "pattern-kind" Warning "A pattern reads like a glob and is a regular expression, or the other way round. Say which with `{glob: …}` or `{regex: …}`."
    DUPLICATE_RULE "E0231" "duplicate-rule" Warning "Two files hold a rule of the same full name. Both are in force; whoever names one means the first."
    NOT_REWRITTEN "E0232" "not-rewritten" Warning "The file was not rewritten, because its comments or what it includes would be lost. Formatting only reports here."
    UNSAYABLE "E0233" "unsayable" Error "A dialect has no words for something that a rule says, so the rule cannot be written in it."
    CORE_RULE "E0234" "core-rule" Error "A core rule cannot be switched off, overridden or loosened: it keeps an agent from rewriting its own rules."
    RULES_STAND_IN "E0235" "rules-stand-in" Warning "A file of rules does not read. What it said last stays in force, or, when that is not known, its gates are closed: nothing that a broken rule forbade becomes allowed."
    SCRIPT_UNREADABLE "E0236" "script-unreadable" Error "The script that a rule asks does not read: there is no such file, it leaves the workspace, or it does not parse. The rule's file stays as it was last good."
    SCRIPT_FAILED "E0237" "script-failed" Error "A script raised an error, was stopped at one of its limits, or gave what is no answer. The rule that asks it is faulty at this event; the other rules are asked as ever."
    TEMPLATE_UNREADABLE "E0238" "template-unreadable" Error "A message is no template: an expression or a statement in it is not closed or does not parse, or it is too long."
    EVENT_LINE "E0240" "event-line" Error "A line of a log, or an event to decide, does not read."
    RULE_CONFLICT "E0241" "rule-conflict" Warning "Two rules say different things about the same calls. The strictest wins, so the milder one never decides; decide which one is meant."
    RULE_SHADOWED "E0242" "rule-shadowed" Warning "A rule never matters, because a stricter one, or one before it that says the same, applies to every call to which it applies."
    RULE_REPEATED "E0243" "rule-repeated" Warning "Two rules mean the same under different ids. Take one out."
    RULE_NEVER "E0244" "rule-never" Warning "A rule can never apply: parts of its condition exclude each other, or ask for what is not there when it is asked."
    RULE_ALWAYS "E0245" "rule-always" Warning "The condition of a gate always holds, or a gate without a condition closes on every call of every tool."
    RULE_UNNAMED "E0246" "rule-unnamed" Warning "A rule names another one that does not exist, in `overrides`, in `since_ms` or in a test."
    OVERRIDE_IDLE "E0247" "override-idle" Warning "An override takes nothing out: the rule that it names is core, more trusted, switched off, asked elsewhere, or itself."
    STATE_UNUSED "E0248" "state-unused" Note "A variable, a kept value or a taint is read that nothing sets, or set and never read."
    PARAMETER_UNREAD "E0249" "parameter-unread" Note "A parameter of a rule is never read: changing it changes nothing."
    TOOL_UNKNOWN "E0250" "tool-unknown" Warning "A rule names a tool, or a pattern of tools, that fits no known tool. Names of tools are told apart by case."
    ARGUMENT_UNKNOWN "E0251" "argument-unknown" Warning "A rule reads an argument that no tool to which it applies takes, or takes it for what it never is."
    PATTERN_SLOW "E0252" "pattern-slow" Warning "A pattern is linear and yet slow: it is large once its repetitions are written out, or every text starts a match of it."
    PATTERN_LOOSE "E0253" "pattern-loose" Warning "A pattern fits more than it says: an anchor that binds one alternative only, or a dot that stands for any character."
    PATTERN_CASE "E0254" "pattern-case" Warning "A text is looked for in a value whose case or spaces were made even, and is not written that way: it is never found."
    SCHEDULE_BOTH "E0255" "schedule-both" Note "Two negated schedules must both hold: `after hours` written this way is weekends outside office hours only. `any` says either."
    GUARD_CLAIM "E0256" "guard-claim" Warning "A condition rests on what the caller says of itself, which is no evidence."
    GATE_SILENT "E0257" "gate-silent" Note "A gate has no message: whoever is stopped reads the rule's id alone."
    FIELD_IDLE "E0258" "field-idle" Warning "A field of a rule has no effect together with the others, or undoes what the rule is for."
    ZONE_UNKNOWN "E0259" "zone-unknown" Error "A timezone that no one knows: schedules in it cannot be read, so the file of rules does not load."
    CHATMD_UNCLOSED "E0260" "chatmd-unclosed" Warning "A ChatMD element is opened and never closed. It is read up to where the next one starts a line, or what it stands in ends."
    CHATMD_TAG "E0261" "chatmd-tag" Warning "A ChatMD tag cannot be read: a quote is never closed, `>` is missing, or a character stands where none may. It is read as text."
    CHATMD_STRAY_CLOSE "E0262" "chatmd-stray-close" Warning "A ChatMD closing tag closes nothing. It is read as text."
    CHATMD_FENCE "E0263" "chatmd-fence" Warning "A fence (`RAW` and a bar) or a comment `<!--` is never closed. It is read as text."
    CHATMD_INERT "E0264" "chatmd-inert" Note "`<rules>` or `<policy>` stands in the text of a message. There it is text; law counts in the document's head."
    CHATMD_LATE_LAW "E0265" "chatmd-late-law" Warning "`<rules>` or `<policy>` stands after the first message. It has no force, so that no message can bring law; move it into the head."
    CHATMD_STRAY_TEXT "E0266" "chatmd-stray-text" Note "Text stands outside every ChatMD block. No model reads it."
    CHATMD_TOO_DEEP "E0267" "chatmd-too-deep" Error "Elements of `<rules>` or `<policy>` stand more than 32 deep in each other."
    CHATMD_DECLARATION "E0268" "chatmd-declaration" Warning "A `<config>`, `<tool>` or `<import>` says something that is not known or cannot be so. What is odd is left out; the rest stands."
    CHATMD_TWICE "E0269" "chatmd-twice" Warning "A ChatMD document says twice what it can say once: settings, a tool, an id. The first one stands."
    PARAMETER_UNKNOWN "E0270" "parameter-unknown" Error "A rule has no parameter, or a plugin no setting, of this name."
    PARAMETER_VALUE "E0271" "parameter-value" Error "A parameter of a rule or a setting of a plugin cannot be set to this: it has another type, or is out of its bounds."
    PLUGIN_MANIFEST "E0272" "plugin-manifest" Error "A plugin's `plugin.toml` does not parse, has a key that is not known, or a value that is missing or wrong. Its last good version stays in force; a plugin that never read is left out. The other plugins stay as they are."
    PLUGIN_ID "E0273" "plugin-id" Error "A plugin has no id, one that is no plain name, one that is not the name of its folder, or the name of something that is shipped."
    PLUGIN_TWICE "E0274" "plugin-twice" Error "Two plugins have the same id. The user's own stands, and the workspace's is left out."
    PLUGIN_INCLUDE "E0275" "plugin-include" Warning "A plugin names files of rules that are not there, or that lie outside its folder. What lies outside is never read."
    PLUGIN_CAPABILITY "E0276" "plugin-capability" Warning "A plugin needs a capability that is not there. It is left out until it is."
    PLUGIN_REFUSED "E0277" "plugin-refused" Error "A plugin was not installed or made. Nothing was written."
    CHATMD_LATE_DECLARATION "E0280" "chatmd-late-declaration" Warning "`<config>`, `<tool>` or `<import>` stands after the first message. It has no force, so that no message can bring a tool; move it into the head."
    CHATMD_UNANSWERED "E0281" "chatmd-unanswered" Warning "A ChatMD call has no answer, or an answer no call. A model is shown neither half alone."
    CHATMD_TOOL "E0282" "chatmd-tool" Warning "A ChatMD document calls a tool that nothing declares, or declares one that no runner brings and that says no command, agent or server."
    CHATMD_FORGED "E0283" "chatmd-forged" Note "What a model or a tool wrote looks like a ChatMD block. It is text and has no force; somebody may have tried. Tags that start a line, that close something, or that are written with entities are told."
    CHATMD_ELEMENT "E0284" "chatmd-element" Warning "A tag is nearly a ChatMD element and is none: it stands as text, and what it names is not fetched."
    CHATMD_REFERENCE "E0285" "chatmd-reference" Warning "An import, or a file that a ChatMD message names, is not there, leads out of the workspace, imports itself in a circle, or is an address, which is never fetched; or a picture stands where none is shown, or is one too many. It is left out."
    FACT_NAME "E0286" "fact-name" Warning "A condition reads a fact whose name is nearly one that the engine keeps. Under this name there is only what whoever calls tells."

    CAPNP_SYNTAX "E0301" "capnp-syntax" Warning "The schema text does not parse here. The declarations around it are read."
    CAPNP_BINARY "E0302" "capnp-binary" Warning "This `.capnp` file is a binary message, not schema text. It was passed over; where schema text stood before, that stays in force (`E0305`)."
    CAPNP_DUPLICATE "E0303" "capnp-duplicate" Warning "Two declarations of one scope have the same name or ordinal."
    CAPNP_UNKNOWN_TYPE "E0304" "capnp-unknown-type" Note "A field names a type that neither this schema nor its imports in the workspace declare."
    CAPNP_CUT_SHORT "E0305" "capnp-cut-short" Error "A schema that stated rules or types does not parse now and states fewer, as one does that is half-saved. What it said last stays in force until it parses, or is deleted."

    CARGO_SYNTAX "E0401" "cargo-syntax" Warning "The manifest is not valid TOML. The last good facts stay."
    CARGO_INHERIT "E0402" "cargo-inherit" Warning "The manifest inherits a value that the workspace does not give."
    CARGO_MEMBER "E0403" "cargo-member" Warning "A workspace member has no manifest."

    EDN_SYNTAX "E0501" "edn-syntax" Error "The EDN does not parse. The file is left as it stands; nothing is written over it."
    EDN_TOO_DEEP "E0502" "edn-too-deep" Error "The EDN is nested deeper than 128 levels."
    LESSON_SHAPE "E0503" "lesson-shape" Warning "An entry is not a map with `:condition` and `:resolution` strings. It is kept as it stands and not compiled."
    LESSON_TEXT "E0504" "lesson-text" Error "A lesson's text is empty, too long, holds control characters, or poses as the harness. Lessons are untrusted input."
    LESSON_UNKNOWN "E0505" "lesson-unknown" Error "No lesson has this id."
    LESSON_DUPLICATE "E0506" "lesson-duplicate" Note "Two lessons say nearly the same; they are merged when compiled."
    LESSON_PENDING "E0507" "lesson-pending" Note "The lesson would loosen or contradict an explicit must or must-not. It waits outside the digest until a person accepts it."
    LESSON_CLAIM "E0508" "lesson-claim" Warning "The file says that this lesson was accepted, but no acceptance of this content is recorded for this user. It waits; where it loosens nothing that binds outright it is in force, unreviewed, and this is a note."
    LESSON_ID "E0509" "lesson-id" Warning "An entry's `:id` is not the id of its content; the content's own id is used."
    EDN_DUPLICATE "E0510" "edn-duplicate" Warning "A map has a key twice, or a set an item. The first one counts; take one out."
    LESSONS_ASIDE "E0511" "lessons-aside" Warning "A lessons file is damaged or cannot be read, and was never read whole by this process. The workspace digest is compiled without its lessons; the law and the other lessons stay in force."

    STALE_REFERENCE "E0601" "stale-reference" Warning "A norm names something that the workspace no longer has. It is compiled all the same; correct the law or restore what it names."
    CONFLICT "E0602" "conflict" Warning "Two norms contradict each other. Both are shown; decide which one holds."
    DUPLICATE_NORM "E0603" "duplicate-norm" Note "Several skills state the same norm; the workspace digest states it once, with all its sources."
    MUST_OVER_BUDGET "E0604" "must-over-budget" Warning "A must or must-not does not fit the budget and became a pointer. Raise `digest.tokens`, shorten the law, or accept the pointer knowingly."
    NO_SOURCES "E0605" "no-sources" Warning "No law was found. `policy-engine init` writes a first skill; `mentci.toml` names other places."
    COVERAGE_GAP "E0606" "coverage-gap" Error "A non-blank line of a source is in neither list of the coverage map. This is a defect of the compiler; please report it."
    AMBIGUOUS_LESSON "E0607" "ambiguous-lesson" Note "A lesson concerns several norms equally well. Ties are not guessed: it stands under Case law."
    HARNESS_TAG "E0608" "harness-tag" Warning "The text holds a tag that harnesses use for themselves, such as `<system-reminder>`. It is written without its angle brackets."
    LESSON_OVER_SHARE "E0609" "lesson-over-share" Note "A lesson that no person accepted does not fit the share of the digest that such lessons have. It is kept, and waits outside the workspace digest for promotion or for others to be archived."

    CONFIG_SYNTAX "E0701" "config-syntax" Error "The configuration is not valid TOML."
    CONFIG_KEY "E0702" "config-key" Error "The configuration has a key that is not known."
    CONFIG_VALUE "E0703" "config-value" Error "A configuration value has the wrong type or is out of its bounds."
    CONFIG_UNTRUSTED "E0704" "config-untrusted" Warning "The workspace is not trusted, and this setting would loosen policy. It is ignored until the user runs `policy-engine trust`."
    CONFIG_CAPPED "E0705" "config-capped" Warning "A managed configuration caps this value."

    UNKNOWN_SUBJECT "E0706" "unknown-subject" Error "No rule, plugin, code or lesson has this name."
    USAGE "E0707" "usage" Error "The command line cannot be understood, or names a folder that is not there. `policy-engine --help` shows what can be said."
    TOOL_SCHEMA "E0708" "tool-schema" Warning "A tool's output schema is invalid, refers to another document, or is too large or too costly to check. The tool's last good schema stays; without one, its answers are not checked."
    EMPTY_PATTERN "E0709" "empty-pattern" Note "A pattern of the workspace's configuration names no file that stands. Correct it, unless the file is still to come."

    LOCK_DAMAGED "E0801" "lock-damaged" Error "The lock cannot be read. Rule numbers live in it, so it is never guessed: restore it from version control, or delete it to number afresh."
    FORMAT_NEWER "E0802" "format-newer" Error "The file was written by a newer version. Upgrade `policy-engine`; the file is left as it stands."
    NOT_PUBLISHED "E0803" "not-published" Error "The digest could not be published. The last good digest stays."
    UNCOMMITTED "E0804" "uncommitted-publish" Warning "A digest's seal does not match its map and lock: a publish did not finish. The next compile repairs it."
    OUT_OF_DATE "E0805" "out-of-date" Warning "The digest on disk is not what the sources compile to. Run `policy-engine compile-rules`; `watch` puts it back by itself, and says so."
    WATCH_POLLING "E0806" "watch-polling" Note "File notifications do not work here; the tree is polled instead."
    WATCH_OVERFLOW "E0807" "watch-overflow" Note "More changes arrived than the system can queue; everything was scanned again."
    WATCH_SECOND "E0808" "second-watcher" Note "Another watcher publishes for this workspace already. This one watches and follows."
    INDEX_REBUILT "E0809" "index-rebuilt" Note "The index of file hashes was missing, damaged or of another version, and was built anew."
    STORE_LOCKED "E0810" "store-locked" Warning "Another process held the store for longer than the time-out. Decisions go on; what could not be written is held and written later."
    STORE_FULL "E0811" "store-full" Warning "No room is left for the store. Decisions go on; what could not be written is held and written later."
    STORE_DAMAGED "E0812" "store-damaged" Error "The store, or its write-ahead log, is damaged: it is set aside under another name, never deleted. Or its file was removed, replaced or emptied while it was open. A new one is begun with the records that could be read, or the one that stands there takes them in. What was lost may have stopped calls or switched rules."
    STORE_DENIED "E0813" "store-denied" Error "The store cannot be opened or written. Decisions go on; what could not be written is held and written later. While what stands in it cannot be read, no call is let through."
    STORE_HELD "E0814" "store-held" Warning "A decision could not be written into the store. It is held in a file of its own, counts in later decisions, and is written as soon as the store can be. Where not even that file can be written it is held in memory, and ends with the process."
    PACK_NOT_MADE "E0815" "pack-not-made" Error "The policy pack could not be made or written. Nothing is lost: decisions read the files of rules instead, which takes longer."
    PACK_STALE "E0816" "pack-stale" Warning "The rules of a pack that was named are not what its files say now. It decides as it is."
    LOCK_LINE "E0817" "lock-line" Warning "A condensed line in a lock does not say what the law says: it was edited, badly merged, or accepted by a laxer version. It is left out, and the deterministic line stands in its place."
    STORE_FOREIGN "E0818" "store-foreign" Warning "There is no place for the user's state, so the log stands in the workspace, where a repository may bring one of its own. What it says happened counts; what it says a person granted, switched or set does not."

    HARNESS_MISSING "E0901" "harness-missing" Note "The harness or its extension is not installed here."
    HARNESS_SETTINGS "E0902" "harness-settings" Error "The settings of a harness cannot be read, or hold something else where hooks belong. They stay as they are: mend them by hand."
    DIGEST_OVER_LIMIT "E0903" "digest-over-limit" Warning "The digest is longer than what this harness shows a model."
    HARNESS_FOREIGN "E0904" "harness-foreign" Error "A file that is not ours stands where one of ours belongs. It stays as it is."
    SERVER_UNGUARDED "E0905" "server-unguarded" Warning "A server of a client's configuration cannot be put behind the gateway: it is reached as before, and no rule is asked about its tools."
    HARNESS_TWICE "E0906" "harness-twice" Warning "Both what is installed in the workspace and the user's stand, and this harness would ask about each call twice, or not start. One of them is enough."

    SESSION_UNKNOWN "E1001" "session-unknown" Error "No session of the log has this id, and no file has this name."
    SESSION_LINE "E1002" "session-line" Error "A line of a session file cannot be read: it is no JSON object, or neither an event of a session nor a line that `replay` reads. The other lines are read."
    SESSION_UNPROVED "E1003" "session-unproved" Error "An exported session is not what was exported: a line was changed, moved, added or taken out. The first such line is named."
    SESSION_ORDER "E1004" "session-order" Warning "An event's id is none, or does not come after the one before it. The event was given a new id; its place in the file stands."
    SESSION_OTHER "E1005" "session-other" Note "A file holds lines of other sessions than the one that was asked for. They were passed over."
    SESSION_KNOWN "E1006" "session-known" Error "The log has a session of this id already. Nothing was imported: lines of two sessions under one id would be neither."
    SESSION_KEY "E1007" "session-key" Warning "Nothing reads a key of a session's line: it may be misspelt, or another key says the same. What stands under it is kept, and never shown to a model."
    CONTEXT_BUDGET "E1010" "context-budget" Error "A context needs a budget, and none was given, or one of no tokens. There is no default, so that whoever pays for the tokens decides."
    CONTEXT_OVER_BUDGET "E1011" "context-over-budget" Error "What must be in a context does not fit its budget: the system prompt, the tools and the newest exchange. Nothing is sent that was cut in the middle."
    ARTIFACT_UNKNOWN "E1020" "artifact-unknown" Error "No artifact has this id, or the session that asks does not hold it."
    ARTIFACT_RANGE "E1021" "artifact-range" Error "A part that an artifact does not have, or that does not read."
    ARTIFACT_TAMPERED "E1022" "artifact-tampered" Error "The content of an artifact is not what its id names: it was changed since it was stored. It is not given out. A warning where only its note was: storing the content again mends it."
    ARTIFACT_REFUSED "E1023" "artifact-refused" Error "An artifact was not stored, or not searched. Nothing was changed."
    ARTIFACTS_UNAVAILABLE "E1024" "artifacts-unavailable" Error "The store of artifacts cannot be read or written: it is locked, full, damaged or denied. What was stored stays as it is. A warning where the log keeps large results itself."
    TRANSCRIPT_BLOCK "E1030" "transcript-block" Warning "A block of a transcript does not say what such blocks say: a status, the numbers of blocks, the call that it answers. It is read as far as it goes."

    MODEL_UNKNOWN "E1101" "model-unknown" Error "No model is named, or its provider is not known. `model.name` names one, and so does `--model provider/name`."
    MODEL_KEY "E1102" "model-key" Error "The environment variable that should hold the provider's key is not set, is empty, or holds what is no key. Keys stand in the environment alone, never in a file."
    MODEL_ADDRESS "E1103" "model-address" Error "The address of a provider is none: it must begin with `http://` or `https://` and hold neither a user, a password, a query nor a fragment."
    MODEL_SCRIPT "E1104" "model-script" Error "A script of a model cannot be read. A script that is half understood would answer something else than was meant, so nothing of it holds."
    MODEL_FAILED "E1105" "model-failed" Error "The model gave no answer: nobody answers there, it took too long, the key or the request is refused, or what came is no answer."
    CONDENSE_REFUSED "E1106" "line-refused" Note "A model's shorter line for a rule was refused: it does not say the same, or is not shorter. The deterministic line stands; nothing is lost but some tokens."
    CONDENSE_SKIPPED "E1107" "not-condensed" Warning "No model shortened the rules: it gave no answer, its answers were nonsense, or its key is not set on this machine. The deterministic lines stand. `compile-rules --require-model` fails instead."
    CONDENSE_WITHHELD "E1108" "line-withheld" Note "A rule holds what looks like a secret or like personal data, or tells a secret in words. It is never sent to a model; its deterministic line stands."
    RUN_LOCKED "E1201" "run-locked" Error "Another run has this document: two that append to one file would interleave. Nothing was read or written."
    RUN_APPEND "E1202" "run-append" Error "A step of a run could not be appended to its document: the disk is full or refuses, or somebody else changed the file. The document holds every whole step before it, and the run goes on from there when it is started again."
    RUN_TOOL "E1203" "run-tool" Error "A tool that a document declares cannot be had: the run brings none of this name, its server does not answer, or its file lies outside of the workspace. A run never begins with half of its tools."
    RUN_UNASKED "E1204" "run-unasked" Error "A document that is run asks nothing: no `<user>` waits for an answer, and nobody types."
    RUN_OUT "E1205" "run-out" Error "The copy of a document that `--out` names cannot be written, or is there already."
    RUN_DIVERGED "E1206" "run-diverged" Error "A document changed again while what stands in it was gone through a second time."
    RUN_CUT "E1207" "run-cut" Warning "The model's last answer is not whole: it ran into the most tokens that it may answer, its provider held something back, or it says nothing. What came stands in the document."

    DAEMON_BUSY "E1301" "daemon-busy" Error "The daemon did not answer in time: too many questions wait, or answering one took too long or broke. What was asked may have been done: ask what stands before asking again."
    DAEMON_REQUEST "E1302" "daemon-request" Error "A request over HTTP or the socket cannot be read: its body is no JSON, lacks a field, has one that nothing reads, or is too large. Nothing was done."
    DAEMON_REFUSED "E1303" "daemon-refused" Error "Who asks may not: there is no token, it is not known or not good for this, or the request comes from another page. Nothing was done."
    DAEMON_TOKEN "E1304" "daemon-token" Error "The file of access tokens cannot be read or written, or no token has this name."
    APPROVAL_SETTLED "E1305" "approval-settled" Error "The request for approval was answered, used or has expired, so that this answer comes too late. It stands as it is. A grant may be turned into a denial until the call uses it."
    DAEMON_KEY "E1306" "daemon-key" Error "An idempotency key was sent before with another request, or is no key. Nothing was done."
}
