//! One word of a sentence, as far as it could be a secret.

/// One word, without the marks around it.
pub(super) struct SpokenWord<'a> {
    pub(super) bare: &'a str,
    after: &'a str,
    pub(super) is_quoted: bool,
    /// No word of the same thought follows.
    is_last: bool,
}

/// The words of a text.
pub(super) fn all_spoken(text: &str) -> Vec<SpokenWord<'_>> {
    let mut words: Vec<SpokenWord<'_>> = text.split_whitespace().flat_map(spoken).collect();
    // A line of a digest has no mark at its end.
    words.iter_mut().rev().take(1).for_each(|last| last.is_last = true);
    words
}

/// A run without white space: `password:hunter2` and `password=hunter2` are a name and a value.
pub(super) fn spoken(run: &str) -> Vec<SpokenWord<'_>> {
    match run.split_once([':', '=']) {
        Some((name, value))
            if !value.trim_matches(MARKS).is_empty() && !value.starts_with(['/', ':', '=']) =>
        {
            vec![SpokenWord { is_last: false, ..word(name) }.set(&run[name.len()..=name.len()]), word(value)]
        }
        _ => vec![word(run)],
    }
}

const MARKS: &[char] =
    &['"', '\'', '`', '“', '”', '‘', '’', '(', ')', '[', ']', ',', ';', '.', ':', '!', '?', '*', '=', '…'];
const QUOTES: &[char] = &['"', '\'', '`', '“', '‘'];

pub(super) fn word(run: &str) -> SpokenWord<'_> {
    let start = run.len() - run.trim_start_matches(MARKS).len();
    let bare = run.trim_matches(MARKS);
    let after = if bare.is_empty() { run } else { &run[start + bare.len()..] };
    SpokenWord {
        bare,
        after,
        is_quoted: run[..start].contains(QUOTES),
        is_last: after.contains(['.', ',', ';', '!', '?', ')']),
    }
}

/// How keys and tokens of known providers begin, whatever stands behind: even one that is made up looks like one.
const STARTS: &[&str] = &[
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxs-",
    "xoxr-",
    "xapp-",
    "sk-ant-",
    "sk-proj-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "pk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "npm_",
    "pypi-",
    "hf_",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "whsec_",
    "dop_v1_",
];

/// What is known by a name with digits and is no secret.
const TECHNICAL: &[&str] = &[
    "2fa", "auth0", "oauth1", "oauth2", "oauth2.0", "argon2", "argon2i", "argon2id", "pbkdf2", "md5",
    "base64", "base32", "base58", "utf8", "utf-8", "utf16", "utf-16", "x509", "x.509", "pkcs1", "pkcs8",
    "pkcs12", "pkcs#8", "pkcs#12", "p12", "ipv4", "ipv6", "http2", "http3", "http/1.1", "http/2", "log4j",
    "i18n", "l10n", "k8s", "s3", "ec2", "route53", "neo4j", "es256", "es384", "web3", "tls1.2", "tls1.3",
    "c#", "f#",
];

impl<'a> SpokenWord<'a> {
    fn set(self, mark: &'a str) -> Self {
        SpokenWord { after: mark, ..self }
    }

    pub(super) fn has_known_start(&self) -> bool {
        STARTS.iter().any(|start| self.bare.strip_prefix(start).is_some_and(|rest| rest.len() >= 4))
    }

    /// What may stand between a name and its value.
    pub(super) fn links(&self) -> bool {
        let lower = self.bare.to_lowercase();
        self.bare.is_empty()
            || matches!(
                lower.as_str(),
                "is" | "was"
                    | "are"
                    | "of"
                    | "to"
                    | "for"
                    | "the"
                    | "number"
                    | "no"
                    | "code"
                    | "value"
                    | "be"
            )
    }

    /// Behind this a value is to be expected.
    pub(super) fn sets(&self) -> bool {
        matches!(self.bare.to_lowercase().as_str(), "is" | "was" | "are" | "be") || self.ends_with_mark()
    }

    pub(super) fn ends_with_mark(&self) -> bool {
        self.after.contains([':', '='])
    }

    /// The colon or the sign stands right in front of the next one: `admin:hunter2`.
    pub(super) fn is_joined(&self) -> bool {
        self.after == ":"
    }

    /// `The token`, `the secret`: one, and not of a kind.
    pub(super) fn tells_one(&self) -> bool {
        matches!(self.bare.to_lowercase().as_str(), "token" | "secret")
    }

    /// Long, with capitals among small letters that begin no words: `wJalrXUtnFEMIK…`, but not `ServiceAccountToken`.
    pub(super) fn is_jumbled(&self) -> bool {
        let is_run =
            self.bare.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '+' | '=' | '-'));
        let small = self.bare.split(|c: char| !c.is_ascii_lowercase());
        let short = small.filter(|part| (1..3).contains(&part.len())).count();
        is_run && self.bare.len() >= 16 && short > 2 && self.bare.contains(|c: char| c.is_ascii_uppercase())
    }

    /// Nothing stands between the colon or the sign and what it sets.
    pub(super) fn sets_next(&self) -> bool {
        self.after.ends_with([':', '='])
    }

    /// `$TOKEN`, `<password>`, `{{ key }}`, `DEPLOY_KEY`, `***`.
    pub(super) fn stands_for_another(&self) -> bool {
        let is_name = self.bare.contains('_') && !self.bare.bytes().any(|byte| byte.is_ascii_lowercase());
        let is_sign = self.bare.starts_with(['$', '<', '{', '%', '@', '-', '/', '~', '#']);
        self.bare.is_empty() && !self.is_cut_off() || (is_sign && !self.is_scrambled()) || is_name
    }

    /// Letters and digits in turn behind signs alone: `./k91zz40b77` has the look of a path, and yet names no file that anybody would
    /// name so.
    fn is_scrambled(&self) -> bool {
        let run = self.bare.trim_start_matches(['/', '~', '.', '-', '#', '%', '@', '$']).as_bytes();
        let turns = run.windows(2).filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit()).count();
        run.len() >= 6
            && turns > 2
            && run.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+=!".contains(byte))
            && !self.is_technical()
    }

    /// `abc…`, `abc...`
    pub(super) fn is_cut_off(&self) -> bool {
        !self.bare.is_empty() && (self.after.starts_with('…') || self.after.starts_with("..."))
    }

    pub(super) fn has_letter_and_digit(&self) -> bool {
        self.bare.chars().any(char::is_alphabetic) && self.bare.bytes().any(|byte| byte.is_ascii_digit())
    }

    /// `P@ssword`, `let-me!in`
    pub(super) fn has_sign_inside(&self) -> bool {
        let signs = |c: char| matches!(c, '@' | '!' | '$' | '%' | '^' | '&' | '*' | '#' | '+');
        self.bare.chars().any(signs) || self.bare.split('-').filter(|part| !part.is_empty()).count() > 3
    }

    /// A path, a call, a name of code.
    pub(super) fn is_code(&self) -> bool {
        let has_marks = self.bare.contains(['/', '(', '_', '.', '\\', '<', '{', '$']);
        (has_marks && !self.is_scrambled()) || self.bare.contains("::") || self.has_capital_inside()
    }

    fn has_capital_inside(&self) -> bool {
        let mut chars = self.bare.chars();
        chars.next();
        !self.has_letter_and_digit() && chars.any(char::is_uppercase)
    }

    /// `sha256`, `90d`, `v2`, `16-byte`.
    pub(super) fn is_technical(&self) -> bool {
        let lower = self.bare.to_lowercase();
        let letters = lower.trim_end_matches(|c: char| c.is_ascii_digit());
        let size = lower[letters.len()..].parse::<u32>().unwrap_or(0);
        let is_size = letters.len() > 1
            && letters.len() < 9
            && matches!(
                size,
                16 | 32 | 64 | 128 | 160 | 192 | 224 | 256 | 384 | 512 | 1024 | 2048 | 3072 | 4096 | 25519
            );
        let unit = lower.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
        let is_measure = unit.len() < lower.len()
            && (matches!(
                unit,
                "s" | "ms"
                    | "m"
                    | "min"
                    | "h"
                    | "d"
                    | "w"
                    | "y"
                    | "k"
                    | "kb"
                    | "mb"
                    | "gb"
                    | "st"
                    | "nd"
                    | "rd"
                    | "th"
                    | "x"
                    | "%"
                    | "+"
            ) || unit
                .strip_prefix('-')
                .is_some_and(|unit| unit.chars().all(|c| c.is_alphabetic() || c == '-')));
        let is_version = lower
            .strip_prefix('v')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.len() < 6);
        TECHNICAL.contains(&lower.as_str()) || is_size || is_measure || is_version
    }

    /// Whether this one word is all that stands there, in quotation marks or at the end of a thought.
    pub(super) fn is_all(&self) -> bool {
        let is_closed = self.is_quoted && self.after.starts_with(QUOTES);
        self.is_unlike_a_state() && (self.is_last || is_closed)
    }

    /// Whether this one word is all that is said: `the password is swordfish`, and not `the password is stored in …`.
    pub(super) fn ends_thought(&self) -> bool {
        self.is_unlike_a_state() && (self.is_last || self.is_quoted)
    }

    /// Whether this may be a value, and does not tell how one is: `stored`, `safe`, `unique`.
    pub(super) fn is_unlike_a_state(&self) -> bool {
        let lower = self.bare.to_lowercase();
        let tells = ["ed", "ing", "able", "ible", "ent", "ant", "al", "ly", "en", "ous", "ive"];
        let says = [
            "missing",
            "valid",
            "invalid",
            "wrong",
            "right",
            "safe",
            "unsafe",
            "weak",
            "strong",
            "long",
            "short",
            "empty",
            "unset",
            "set",
            "known",
            "unknown",
            "public",
            "private",
            "not",
            "never",
            "always",
            "here",
            "there",
            "new",
            "old",
            "stale",
            "fresh",
            "lost",
            "sent",
            "kept",
            "read",
            "held",
            "yours",
            "theirs",
            "ours",
            "optional",
            "present",
            "absent",
            "due",
            "plain",
            "secret",
            "it",
            "null",
            "none",
            "true",
            "false",
            "string",
            "unique",
            "correct",
            "incorrect",
            "bad",
            "good",
            "required",
            "enough",
            "opaque",
            "fine",
            "okay",
        ];
        let is_word = lower.chars().count() > 2
            && !says.contains(&lower.as_str())
            && !tells.iter().any(|end| lower.ends_with(end));
        is_word && !self.is_code()
    }
}
