//! Secrets that are spoken of in prose: `log in with password hunter2`, `the PIN is 4711`.
//!
//! The detectors look for what can be told from its form, or from an assignment; a sentence can give a secret away without either. Here
//! it is enough that a word for a secret stands beside a word that could be one: a rule that is held back by mistake keeps its
//! deterministic line, and one that is sent by mistake has left the machine.

use super::spoken_login::gives_access;
use super::spoken_word::{SpokenWord, all_spoken};

/// Whether a text tells a secret, as far as its words show.
pub(super) fn tells_a_secret(text: &str) -> bool {
    let words = all_spoken(text);
    words.iter().any(SpokenWord::has_known_start)
        || (0..words.len()).any(|at| Secret::named(&words, at).is_some_and(|kind| kind.is_told(&words, at)))
        || (0..words.len()).any(|at| is_phrase(&words, at))
        || gives_access(&words)
}

/// `The seed phrase apple river stone cloud`: words in a row, none of which parts or tells anything.
fn is_phrase(words: &[SpokenWord<'_>], at: usize) -> bool {
    let [of, phrase, rest @ ..] = &words[at..] else { return false };
    let is = |word: &SpokenWord<'_>, list: &[&str]| list.contains(&word.bare.to_lowercase().as_str());
    let rest = match rest {
        [link, rest @ ..] if is(link, &["is", "of"]) => rest,
        rest => rest,
    };
    let is_named = is(of, &["seed", "recovery", "backup", "mnemonic", "wallet"])
        && is(phrase, &["phrase", "phrases", "words", "mnemonic"]);
    let in_a_row = rest.iter().take_while(|word| word.is_of_phrase()).count();
    is_named && in_a_row > 2
}

/// What a word for a secret promises.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Secret {
    /// A password: any word may be one.
    Password,
    /// A number that opens something.
    Pin,
    /// What is entered to open something, of letters and digits as often.
    Code,
    /// A key or a token: long, and not read aloud.
    Token,
}

const PASSWORDS: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passphrases",
    "passcode",
    "passcodes",
    "pwd",
    "pw",
    "login",
    "logins",
    "credential",
    "credentials",
    "creds",
    "passwort",
];
const PINS: &[&str] = &["pin", "pins", "otp", "cvv", "puk", "tan"];
const TOKENS: &[&str] = &[
    "token", "tokens", "secret", "secrets", "key", "keys", "api-key", "apikey", "api_key", "bearer",
    "webhook",
];
/// Who does these to a code opens something with it.
const ENTERS: &[&str] = &["use", "enter", "type", "dial", "punch", "say"];
/// In front of `code` these make it one that opens something.
const OPENS: &[&str] = &[
    "access",
    "alarm",
    "backup",
    "door",
    "entry",
    "gate",
    "lock",
    "pass",
    "pairing",
    "recovery",
    "safe",
    "security",
    "unlock",
    "verification",
];

impl Secret {
    fn named(words: &[SpokenWord<'_>], at: usize) -> Option<Self> {
        let lower = words[at].bare.to_lowercase().replace('’', "'");
        let lower = lower.strip_suffix("'s").unwrap_or(&lower).to_owned();
        let is = |list: &[&str]| list.contains(&lower.as_str());
        let before =
            |back: usize| at.checked_sub(back).map(|at| words[at].bare.to_lowercase()).unwrap_or_default();
        let opens = || OPENS.contains(&before(1).as_str());
        // `Use error code 1045` names another kind.
        let enters = || ENTERS.contains(&before(if before(1) == "the" { 2 } else { 1 }).as_str());
        let is_dialled = || words.get(at + 1).is_some_and(SpokenWord::sets);
        match () {
            () if is(PASSWORDS) => Some(Self::Password),
            () if (lower == "pin" && enters()) || (is(&["code", "codes"]) && opens()) => Some(Self::Code),
            () if is(PINS) || (lower == "code" && enters()) => Some(Self::Pin),
            () if lower == "combination" && words.get(at + 1).is_some_and(SpokenWord::is_dialled) => {
                Some(Self::Code)
            }
            () if lower == "combination" && (opens() || is_dialled()) => Some(Self::Pin),
            () if is(TOKENS) => Some(Self::Token),
            () => None,
        }
    }

    /// Whether a value stands beside its name at `at`: right behind it, or a few words away.
    fn is_told(self, words: &[SpokenWord<'_>], at: usize) -> bool {
        let links = words[at + 1..].iter().take_while(|word| word.links()).count();
        let behind = words.get(at + 1 + links);
        let is_set = words[at].ends_with_mark() || (links > 0 && words[at + links].sets());
        // `The password is swordfish on all hosts`, but `is plain in the log`.
        let goes_on = words.get(at + 2 + links).is_some_and(|next| ["on", "for", "at"].contains(&next.bare));
        let is_named = self == Self::Password || words[at].tells_one();
        let is_all = is_named && is_set && goes_on && behind.is_some_and(SpokenWord::is_unlike_a_state);
        is_all
            || behind.is_some_and(|word| self.is_beside(word, is_set))
            || words[at + 1..].iter().take(6).any(|word| self.is_near(word))
            || words[at.saturating_sub(8)..at].iter().any(|word| self.is_near(word))
    }

    /// Whether this may be the value where a value is to be expected.
    fn is_beside(self, word: &SpokenWord<'_>, is_set: bool) -> bool {
        if word.stands_for_another() {
            return false;
        }
        let is_number =
            word.bare.len() >= 3 && word.bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let is_odd = word.has_letter_and_digit() || word.has_sign_inside() || word.is_cut_off();
        let is_quoted = word.is_quoted && !word.is_code();
        let is_mixed = word.bare.len() > 5 && word.has_letter_and_digit() && !word.is_technical();
        match self {
            Self::Pin => is_number || (is_set && word.ends_thought()),
            Self::Code => is_number || is_mixed || (is_set && word.ends_thought()),
            Self::Password => {
                // Words in a row are what passphrases are made of.
                let is_phrase = word.bare.matches('-').count() > 1;
                let is_value = is_phrase || (is_odd && !word.is_technical()) || is_quoted;
                is_number || is_value || (is_set && word.ends_thought())
            }
            Self::Token => {
                (is_odd && !word.is_technical() && word.bare.len() >= 3) || (is_set && word.ends_thought())
            }
        }
    }

    /// Whether this is a value wherever it stands in the sentence.
    fn is_near(self, word: &SpokenWord<'_>) -> bool {
        let digits = word.bare.bytes().filter(u8::is_ascii_digit).count();
        let is_plain = word.stands_for_another() || word.is_code() || word.is_technical();
        match self {
            Self::Pin | Self::Code => {
                word.bare.len() >= 4
                    && digits == word.bare.len()
                    && !matches!(word.bare.get(..2), Some("19" | "20"))
            }
            Self::Password => {
                word.bare.len() >= 4 && (word.has_letter_and_digit() || word.has_sign_inside()) && !is_plain
            }
            Self::Token => {
                let has_digits = word.bare.len() >= 6 && digits > 1 && word.has_letter_and_digit();
                (has_digits && !is_plain) || word.is_jumbled()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What must never leave the machine.
    const TOLD: &[&str] = &[
        "Log in with password hunter2 for staging",
        "Use password `swordfish` on the test box",
        "The password is swordfish.",
        "The password for staging is hunter2",
        "Log in as admin with hunter2 as the password",
        "Password: tr0ub4dor",
        "password=swordfish,",
        "Open the door with PIN 4711",
        "The PIN is 4711",
        "The PIN is swordfish.",
        "The PIN is swordfish",
        "The password is swordfish",
        "The token is opensesame",
        "You must use passphrase correct-horse-battery for vault",
        "Use PIN code 4711 at the gate",
        "The door code is 4711",
        "Say the passphrase correct-horse-battery-staple",
        "The token is abc…",
        "The token is abc...",
        "Use API key 7f3k9q2m for the sandbox",
        "Send the token Zx81qqv7 with each call",
        "Log in with password ./k91zz40b77",
        "Log in with password `./k91zz40b77`",
        "Use passphrase ~/k91zz40b77 for the vault",
        "Use password #k91zz40b77 on the test box",
        "The password is /k91zz40b77",
        "Log in with ../k91zz40b77 as the password",
        "Send the token ./k91zz40b77 with each call",
        "Send the secret @k91zz40b77 with each call",
        "Post to Slack with xoxb-your-token-here",
        "Use xoxb-0000000000-example in tests",
        "Sign in with the credentials bob and P@ssword",
        "Use the backup code 83920-11882",
        "The secret is opensesame.",
        "The key is k-91-zz-40-b",
        "The password is hunter22 on the staging host",
        "The staging password is swordfish on all hosts",
        "Use code 4711",
        "Use code 4711 at the back entrance",
        "Enter the code 83920 when the alarm beeps",
        "Type code 4711, then press enter",
        "The combination is 12-34-56",
        "Log in as ops with hunter22",
        "Sign in to the console using letmein9 and wait",
        "Authenticate as root with sw0rdfish",
        "My password's hunter22",
        "The token is swordfish for the staging host",
        "The secret is opensesame on all hosts",
        "Sign with the key wJalrXUtnFEMIKMDENGbPxRfiCYEXAMPLEKEY",
        "Use user ci with pass Winter2024! for staging.",
        "Unlock the safe with combination 12-34-K05",
        "Type tr0ub4dor when the console asks for the password",
        "Use the seed phrase apple river stone cloud on the wallet",
    ];
    /// What is an ordinary rule.
    const ORDINARY: &[&str] = &[
        "Read the password from ./secrets2",
        "Read the password from `/run/secrets/db1pw2`",
        "Keep the token in ~/k8s1.yaml",
        "Hash the password with -a2b before storing it",
        "Send the token to @ops2day",
        "Never commit a password to the repo",
        "Hash every password with argon2id",
        "Rotate each API key every 90 days",
        "Rotate API keys every 90d",
        "Keep the digest below 1500 tokens",
        "Use at most 4096 tokens per request",
        "Sign tokens with RS256 or ed25519",
        "Pin the dependency to version 20",
        "Read the token from `DEPLOY_TOKEN`",
        "Pass the key as $API_KEY, never in the URL",
        "Store secrets in `.env.local`",
        "The password is required.",
        "A token is invalid after a logout",
        "The `token` field is optional",
        "Ask for a password of 12 characters or more",
        "Use a 256-bit key",
        "Tokens must expire within 15 minutes",
        "Sort the map by key, then by value",
        "Use secrets from the vault, not from files",
        "Key: value pairs are sorted",
        "Use OAuth2 tokens and TLS1.3",
        "Never print the value of a secret",
        "Use the `password` crate's `hash_v2` function",
        "Write `<token>` where a token would stand",
        "Use a primary key of type u64",
        "Use code 0 for success and 1 for failure",
        "Use exit code 2 for bad input",
        "Return status code 404 where nothing is found",
        "Close the socket with code 1008 on a policy violation",
        "Use code review for every change",
        "Use code owners from `.github/CODEOWNERS`",
        "Log in to the runner with SSO",
        "Log in with OAuth2 only",
        "Sign in with a hardware key, never with a password",
        "Authenticate with mTLS or OAuth2",
        "Authenticate with ed25519 keys",
        "Sign in using the `login_v2` endpoint",
        "The password is never logged on any host",
        "The password is hashed on the server",
        "The password is known to the vault alone",
        "The token is read from the environment on start",
        "The secret is stored in the vault of the team",
        "The key is unique in the table",
        "Type code in the editor, not in the chat",
        "Use error code 1045 in the example",
        "Use port 5432 and code page 65001",
        "A token is good for one hour",
        "The token is enough for uploads",
        "The secret is opaque for clients",
        "Read the key with ServiceAccountTokenProvider",
        "Sort by the key createdAtTimestampUtc",
        "Use pass 2 of the compiler",
        "Test each combination of flags twice",
        "Keep the recovery phrase offline, never in a file",
        "Store the seed phrase encrypted at rest",
    ];

    #[test]
    fn what_a_sentence_gives_away_is_told_from_what_it_only_speaks_of() {
        let missed: Vec<_> = TOLD.iter().filter(|text| !tells_a_secret(text)).collect();
        let held_back: Vec<_> = ORDINARY.iter().filter(|text| tells_a_secret(text)).collect();
        assert!(missed.is_empty() && held_back.is_empty(), "missed {missed:#?}, held back {held_back:#?}");
    }
}
