//! The table of keys: prefix, alphabet and length of the rest, and what else must hold.

use crate::alphabet::{self, ALNUM, Alphabet, BASE64, DOTTED, ESCAPED, HEX, TILDE, UPPER, WORD};
use crate::escape;
use crate::steps::Steps;

/// One shape of a provider's key.
#[derive(Debug)]
pub(crate) struct Key {
    /// The name of the provider's kind.
    pub(crate) name: &'static str,
    /// How it starts.
    pub(crate) prefix: &'static str,
    /// Where in the prefix the bytes start that are searched.
    anchor: usize,
    /// The bytes of the rest.
    body: Alphabet,
    /// Fewest and most bytes of the rest.
    length: (usize, usize),
    /// What else must hold of the rest.
    check: Check,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Check {
    /// Nothing but that it is no `xxxx`, and does not repeat where its length could be any.
    Varied,
    /// A piece of 16 letters and digits of both sorts: no words joined by hyphens.
    Dense,
    /// Eight to ten digits stand before the prefix and belong to the key.
    AfterDigits,
    /// Three bytes stand before the prefix and belong to the key.
    AfterThree,
}

const fn key(
    name: &'static str,
    prefix: &'static str,
    body: Alphabet,
    min: usize,
    max: usize,
    check: Check,
) -> Key {
    Key { name, prefix, anchor: rare(prefix.as_bytes()), body, length: (min, max), check }
}

/// A URL that is a secret as a whole; searched from `anchor` on, since its first letters are common.
const fn url(name: &'static str, prefix: &'static str, anchor: usize, min: usize) -> Key {
    Key { name, prefix, anchor, body: BASE64, length: (min, 200), check: Check::Varied }
}

/// Where the first three bytes stand that do not end in a small letter, since words do; 0 when all do.
const fn rare(prefix: &[u8]) -> usize {
    let mut at = 0;
    while at + 2 < prefix.len() {
        if !prefix[at + 2].is_ascii_lowercase() {
            return at;
        }
        at += 1;
    }
    0
}

use Check::{AfterDigits, AfterThree, Dense, Varied};

/// The keys, those of one name together. Where two prefixes start alike, the longer one stands first.
/// Shapes: the providers' own documentation and what their keys look like in public scanners' rules.
#[rustfmt::skip]
pub(crate) const KEYS: &[Key] = &[
    key("AWS_KEY", "AKIA", UPPER, 16, 16, Varied),
    key("AWS_KEY", "ASIA", UPPER, 16, 16, Varied),
    key("AWS_KEY", "ABIA", UPPER, 16, 16, Varied),
    key("AWS_KEY", "ACCA", UPPER, 16, 16, Varied),
    key("GITHUB_TOKEN", "ghp_", ALNUM, 36, 255, Varied),
    key("GITHUB_TOKEN", "gho_", ALNUM, 36, 255, Varied),
    key("GITHUB_TOKEN", "ghu_", ALNUM, 36, 255, Varied),
    key("GITHUB_TOKEN", "ghs_", ALNUM, 36, 255, Varied),
    key("GITHUB_TOKEN", "ghr_", ALNUM, 36, 255, Varied),
    key("GITHUB_TOKEN", "github_pat_", WORD, 36, 255, Varied),
    key("GITLAB_TOKEN", "glpat-", DOTTED, 20, 100, Varied),
    key("GITLAB_TOKEN", "gldt-", DOTTED, 20, 100, Varied),
    key("GITLAB_TOKEN", "glrt-", DOTTED, 20, 100, Varied),
    key("GITLAB_TOKEN", "glcbt-", DOTTED, 20, 100, Varied),
    key("GITLAB_TOKEN", "glptt-", DOTTED, 20, 100, Varied),
    key("GITLAB_TOKEN", "glsoat-", DOTTED, 20, 100, Varied),
    key("ANTHROPIC_KEY", "sk-ant-", WORD, 24, 200, Varied),
    key("OPENROUTER_KEY", "sk-or-v1-", HEX, 64, 64, Varied),
    key("LANGFUSE_KEY", "sk-lf-", WORD, 36, 36, Varied),
    key("OPENAI_KEY", "sk-proj-", WORD, 32, 220, Dense),
    key("OPENAI_KEY", "sk-svcacct-", WORD, 32, 220, Dense),
    key("OPENAI_KEY", "sk-admin-", WORD, 32, 220, Dense),
    key("OPENAI_KEY", "sk-", WORD, 20, 220, Dense),
    key("STRIPE_KEY", "sk_live_", ALNUM, 16, 250, Varied),
    key("STRIPE_KEY", "sk_test_", ALNUM, 16, 250, Varied),
    key("STRIPE_KEY", "rk_live_", ALNUM, 16, 250, Varied),
    key("STRIPE_KEY", "rk_test_", ALNUM, 16, 250, Varied),
    key("STRIPE_KEY", "whsec_", BASE64, 24, 100, Varied),
    key("SLACK_TOKEN", "xoxb-", WORD, 20, 250, Dense),
    key("SLACK_TOKEN", "xoxp-", WORD, 20, 250, Dense),
    key("SLACK_TOKEN", "xoxa-", WORD, 20, 250, Dense),
    key("SLACK_TOKEN", "xoxr-", WORD, 20, 250, Dense),
    key("SLACK_TOKEN", "xoxs-", WORD, 20, 250, Dense),
    key("SLACK_TOKEN", "xoxe-", WORD, 20, 250, Dense),
    key("SLACK_TOKEN", "xoxe.", DOTTED, 20, 300, Dense),
    key("SLACK_TOKEN", "xapp-", WORD, 20, 250, Dense),
    url("SLACK_WEBHOOK", "hooks.slack.com/services/", 10, 30),
    key("DISCORD_TOKEN", "mfa.", WORD, 84, 84, Dense),
    url("DISCORD_WEBHOOK", "discord.com/api/webhooks/", 6, 60),
    url("DISCORD_WEBHOOK", "discordapp.com/api/webhooks/", 9, 60),
    url("TEAMS_WEBHOOK", "webhook.office.com/webhookb2/", 6, 60),
    key("GOOGLE_KEY", "AIza", WORD, 35, 35, Varied),
    key("GOOGLE_KEY", "ya29.", WORD, 20, 300, Dense),
    key("GOOGLE_KEY", "GOCSPX-", WORD, 28, 28, Varied),
    key("NPM_TOKEN", "npm_", ALNUM, 36, 36, Varied),
    key("PYPI_TOKEN", "pypi-AgE", WORD, 16, 1000, Varied),
    key("PYPI_TOKEN", "pypi-", WORD, 20, 1000, Dense),
    key("RUBYGEMS_KEY", "rubygems_", HEX, 48, 48, Varied),
    key("DOCKER_TOKEN", "dckr_pat_", WORD, 27, 40, Varied),
    key("HUGGINGFACE_TOKEN", "hf_", ALNUM, 30, 40, Varied),
    key("SENDGRID_KEY", "SG.", DOTTED, 60, 70, Dense),
    key("MAILGUN_KEY", "key-", HEX, 32, 32, Varied),
    key("DIGITALOCEAN_TOKEN", "dop_v1_", HEX, 64, 64, Varied),
    key("DIGITALOCEAN_TOKEN", "doo_v1_", HEX, 64, 64, Varied),
    key("DIGITALOCEAN_TOKEN", "dor_v1_", HEX, 64, 64, Varied),
    key("SHOPIFY_TOKEN", "shpat_", HEX, 32, 32, Varied),
    key("SHOPIFY_TOKEN", "shpca_", HEX, 32, 32, Varied),
    key("SHOPIFY_TOKEN", "shppa_", HEX, 32, 32, Varied),
    key("SHOPIFY_TOKEN", "shpss_", HEX, 32, 32, Varied),
    key("SQUARE_TOKEN", "sq0atp-", WORD, 22, 22, Varied),
    key("SQUARE_TOKEN", "sq0csp-", WORD, 43, 43, Varied),
    key("LINEAR_KEY", "lin_api_", ALNUM, 40, 40, Varied),
    key("NOTION_TOKEN", "ntn_", ALNUM, 40, 60, Varied),
    key("VAULT_TOKEN", "hvs.", WORD, 24, 200, Dense),
    key("VAULT_TOKEN", "hvb.", WORD, 24, 300, Dense),
    key("POSTMAN_KEY", "PMAK-", WORD, 59, 59, Varied),
    key("NEWRELIC_KEY", "NRAK-", ALNUM, 27, 27, Varied),
    key("DATABRICKS_TOKEN", "dapi", HEX, 32, 32, Varied),
    key("DOPPLER_TOKEN", "dp.pt.", ALNUM, 40, 44, Varied),
    key("PULUMI_TOKEN", "pul-", HEX, 40, 40, Varied),
    key("GRAFANA_TOKEN", "glsa_", WORD, 32, 60, Varied),
    key("GRAFANA_TOKEN", "glc_", BASE64, 32, 300, Dense),
    key("SENTRY_TOKEN", "sntrys_", BASE64, 40, 300, Varied),
    key("SENTRY_TOKEN", "sntryu_", HEX, 64, 64, Varied),
    key("POSTHOG_KEY", "phx_", ALNUM, 40, 50, Varied),
    key("FIGMA_TOKEN", "figd_", WORD, 38, 50, Varied),
    key("FLY_TOKEN", "fo1_", WORD, 40, 60, Varied),
    key("FLY_TOKEN", "FlyV1 fm", BASE64, 60, 300, Varied),
    key("GROQ_KEY", "gsk_", ALNUM, 40, 60, Varied),
    key("XAI_KEY", "xai-", ALNUM, 60, 100, Varied),
    key("PERPLEXITY_KEY", "pplx-", ALNUM, 40, 64, Varied),
    key("REPLICATE_TOKEN", "r8_", ALNUM, 37, 40, Varied),
    key("NVIDIA_KEY", "nvapi-", WORD, 60, 70, Varied),
    key("TAVILY_KEY", "tvly-", WORD, 20, 60, Dense),
    key("LANGSMITH_KEY", "lsv2_", WORD, 36, 60, Dense),
    key("PINECONE_KEY", "pcsk_", WORD, 40, 90, Dense),
    key("AGE_KEY", "AGE-SECRET-KEY-1", UPPER, 58, 58, Varied),
    key("TAILSCALE_KEY", "tskey-", WORD, 20, 80, Dense),
    key("SUPABASE_TOKEN", "sbp_", HEX, 40, 40, Varied),
    key("SUPABASE_TOKEN", "sb_secret_", WORD, 24, 60, Varied),
    key("PLANETSCALE_TOKEN", "pscale_tkn_", DOTTED, 32, 64, Varied),
    key("PLANETSCALE_TOKEN", "pscale_pw_", DOTTED, 32, 64, Varied),
    key("NETLIFY_TOKEN", "nfp_", ALNUM, 36, 40, Varied),
    key("ATLASSIAN_TOKEN", "ATATT3", BASE64, 60, 300, Varied),
    key("ATLASSIAN_TOKEN", "ATCTT3", BASE64, 60, 300, Varied),
    key("BITBUCKET_TOKEN", "ATBB", ALNUM, 32, 32, Varied),
    key("ARTIFACTORY_KEY", "AKCp", ALNUM, 60, 80, Varied),
    key("DYNATRACE_TOKEN", "dt0c01.", DOTTED, 80, 100, Dense),
    key("ALIBABA_KEY", "LTAI", ALNUM, 16, 24, Varied),
    key("CONTENTFUL_TOKEN", "CFPAT-", WORD, 43, 43, Varied),
    key("AIRTABLE_TOKEN", "patA", DOTTED, 70, 90, Dense),
    key("AZURE_SECRET", "8Q~", TILDE, 31, 34, AfterThree),
    key("AZURE_SECRET", "7Q~", TILDE, 31, 34, AfterThree),
    key("AZURE_SECRET", "sig=", ESCAPED, 43, 80, Varied),
    key("CRATES_TOKEN", "cio", ALNUM, 32, 32, Dense),
    key("BUILDKITE_TOKEN", "bkua_", HEX, 40, 40, Varied),
    key("CLOJARS_TOKEN", "CLOJARS_", HEX, 60, 60, Varied),
    key("CIRCLECI_TOKEN", "CCIPAT_", WORD, 40, 80, Varied),
    key("CLOUDFLARE_KEY", "v1.0-", WORD, 100, 220, Dense),
    key("DROPBOX_TOKEN", "sl.", WORD, 100, 300, Dense),
    key("EASYPOST_KEY", "EZAK", ALNUM, 54, 54, Varied),
    key("EASYPOST_KEY", "EZTK", ALNUM, 54, 54, Varied),
    key("FACEBOOK_TOKEN", "EAACEdEose0cBA", ALNUM, 20, 250, Varied),
    key("FLUTTERWAVE_KEY", "FLWSECK-", WORD, 32, 60, Dense),
    key("FLUTTERWAVE_KEY", "FLWSECK_", WORD, 32, 60, Dense),
    key("FRAMEIO_TOKEN", "fio-u-", WORD, 60, 70, Varied),
    key("HEROKU_KEY", "HRKU-", WORD, 36, 70, Varied),
    key("HUBSPOT_TOKEN", "pat-na1-", WORD, 36, 36, Varied),
    key("HUBSPOT_TOKEN", "pat-eu1-", WORD, 36, 36, Varied),
    key("INFRACOST_KEY", "ico-", ALNUM, 32, 32, Dense),
    key("LINEAR_OAUTH", "lin_oauth_", ALNUM, 32, 64, Varied),
    key("MAILERSEND_TOKEN", "mlsn.", HEX, 64, 64, Varied),
    key("SENDINBLUE_KEY", "xkeysib-", WORD, 64, 90, Varied),
    key("NUGET_KEY", "oy2", ALNUM, 43, 43, Dense),
    key("ONEPASSWORD_TOKEN", "ops_eyJ", WORD, 80, 1000, Varied),
    key("PREFECT_KEY", "pnu_", ALNUM, 36, 36, Varied),
    key("RAZORPAY_KEY", "rzp_live_", ALNUM, 14, 24, Varied),
    key("README_KEY", "rdme_", ALNUM, 70, 72, Varied),
    key("RENDER_KEY", "rnd_", ALNUM, 24, 40, Dense),
    key("RESEND_KEY", "re_", WORD, 24, 40, Dense),
    key("SHIPPO_KEY", "shippo_live_", HEX, 40, 40, Varied),
    key("SONAR_TOKEN", "sqp_", HEX, 40, 40, Varied),
    key("SONAR_TOKEN", "squ_", HEX, 40, 40, Varied),
    key("SONAR_TOKEN", "sqa_", HEX, 40, 40, Varied),
    key("SOURCEGRAPH_TOKEN", "sgp_", WORD, 40, 64, Dense),
    key("TYPEFORM_TOKEN", "tfp_", WORD, 40, 64, Dense),
    key("TRELLO_TOKEN", "ATTA", ALNUM, 72, 72, Varied),
    key("TOGETHER_KEY", "tgp_v1_", WORD, 40, 50, Varied),
    key("FIREWORKS_KEY", "fw_", ALNUM, 24, 30, Dense),
    key("MONGODB_SECRET", "mdb_sa_sk_", WORD, 36, 50, Varied),
    key("PLAID_TOKEN", "access-production-", WORD, 36, 36, Varied),
    key("PLAID_TOKEN", "access-sandbox-", WORD, 36, 36, Varied),
    key("PUBNUB_KEY", "sec-c-", BASE64, 36, 80, Varied),
    key("SCALINGO_TOKEN", "tk-us-", WORD, 48, 48, Varied),
    key("OPENSHIFT_TOKEN", "sha256~", WORD, 43, 43, Varied),
    key("VERCEL_TOKEN", "vcp_", ALNUM, 40, 70, Dense),
    key("NGROK_KEY", "ak_2", ALNUM, 26, 50, Dense),
    key("EXPO_TOKEN", "expo_", WORD, 40, 60, Dense),
    key("DATADOG_KEY", "ddapi_", ALNUM, 32, 50, Dense),
    key("CEREBRAS_KEY", "csk-", ALNUM, 40, 60, Varied),
    key("ELEVENLABS_KEY", "sk_", HEX, 48, 48, Varied),
    key("MAPBOX_TOKEN", "sk.eyJ", DOTTED, 60, 300, Varied),
    key("HARNESS_TOKEN", "pat.", DOTTED, 60, 90, Dense),
    key("SQUARE_ACCESS_TOKEN", "EAAA", WORD, 60, 60, Dense),
    key("AMAZON_MWS_TOKEN", "amzn.mws.", WORD, 36, 36, Varied),
    key("BUNNY_KEY", "bny_", ALNUM, 36, 80, Dense),
    key("NEON_KEY", "napi_", ALNUM, 60, 70, Varied),
    key("POLAR_TOKEN", "polar_oat_", ALNUM, 36, 60, Varied),
    key("GRAFANA_CLOUD_KEY", "eyJrIjoi", BASE64, 60, 300, Dense),
    key("NETLIFY_CLI_TOKEN", "nfc_", ALNUM, 36, 40, Varied),
    key("GITLAB_RUNNER_TOKEN", "GR1348941", WORD, 20, 40, Varied),
    key("GITLAB_FEED_TOKEN", "glft-", WORD, 20, 100, Varied),
    key("TERRAFORM_TOKEN", ".atlasv1.", WORD, 60, 70, Varied),
    key("TELEGRAM_TOKEN", ":AA", WORD, 32, 34, AfterDigits),
];

/// The most bytes of the rest of most keys.
const LONGEST: usize = 300;

impl Key {
    /// The bytes that are searched, three or more.
    pub(crate) fn anchor(&self) -> &'static [u8] {
        &self.prefix.as_bytes()[self.anchor..]
    }

    /// Where the anchor stands in the prefix.
    pub(crate) fn anchor_at(&self) -> usize {
        self.anchor
    }

    /// The fewest bytes of a whole key.
    #[cfg(test)]
    pub(crate) fn shortest(&self) -> usize {
        self.prefix.len() + self.length.0
    }

    /// The key whose prefix starts at `start`, if one stands there.
    pub(crate) fn check(&self, bytes: &[u8], start: usize, steps: &mut Steps) -> Option<(usize, usize)> {
        if !bytes[start..].starts_with(self.prefix.as_bytes()) {
            return None;
        }
        let before = self.start(bytes, start)?;
        let body_at = start + self.prefix.len();
        let longest = LONGEST.max(self.length.1);
        let room = &bytes[body_at..bytes.len().min(body_at + longest + 1)];
        let run = alphabet::run(room, self.body);
        steps.add(run);
        let body = trimmed(&room[..run], self.body);
        let fits = body.len() >= self.length.0 && body.len() <= self.length.1;
        let holds = match self.check {
            Check::Dense => is_varied(body) && is_dense(body),
            // What has just the length of a key is one, though its bytes repeat.
            _ if body.len() == self.length.0 => !is_blank(body),
            _ => is_varied(body),
        };
        (fits && holds).then_some((before, body_at + body.len()))
    }

    /// Where the key starts: at its prefix, if no longer word stands there. A word that is made of the key's own
    /// bytes counts whole, so that no run is looked at twice (INVARIANT (linear keys)).
    fn start(&self, bytes: &[u8], start: usize) -> Option<usize> {
        let before = &bytes[..start];
        if self.check == Check::AfterDigits {
            let digits = before.iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count();
            return (8..=10).contains(&digits).then_some(start - digits);
        }
        if self.check == Check::AfterThree {
            let own = before.iter().rev().take(4).take_while(|byte| alphabet::has(TILDE, **byte)).count();
            return (own == 3).then(|| start - 3);
        }
        // A prefix that starts with a sign is not part of the word before it.
        if !self.prefix.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric) && self.prefix.len() > 4 {
            return Some(start);
        }
        let Some((&last, word)) = before.split_last() else { return Some(start) };
        // A sign alone joins nothing: a list's, an option's, the `-` of a line that a diff takes out.
        let is_tied = self.body != ALNUM
            && matches!(last, b'-' | b'_')
            && alphabet::has(self.body, last)
            && word.last().is_some_and(|&byte| alphabet::has(self.body, byte));
        let is_joined = last.is_ascii_alphanumeric() && !escape::ends(before);
        (!is_joined && !is_tied).then_some(start)
    }
}

/// A key does not end in a full stop; that is the sentence's.
fn trimmed(body: &[u8], of: Alphabet) -> &[u8] {
    if of != DOTTED {
        return body;
    }
    let end = body.iter().rposition(|&byte| byte != b'.').map_or(0, |last| last + 1);
    &body[..end]
}

/// `xxxx`, `XXXX`, `0000`: what stands for a key that is not there.
fn is_blank(body: &[u8]) -> bool {
    let first = body.first().map_or(0, u8::to_ascii_lowercase);
    b"x0-_.".contains(&first) && body.iter().all(|byte| byte.to_ascii_lowercase() == first)
}

/// Not `xxxxxxxx` and its like: at least six different bytes.
pub(crate) fn is_varied(body: &[u8]) -> bool {
    alphabet::distinct(&body[..body.len().min(64)]) >= 6
}

/// A piece without `-`, `_` and `.` of 16 or more, with letters and digits; or one of letters, large and small, behind a long
/// number.
fn is_dense(body: &[u8]) -> bool {
    let pieces = || body.split(|byte| matches!(byte, b'-' | b'_' | b'.'));
    let has = |piece: &[u8], is: fn(&u8) -> bool| piece.iter().any(is);
    let is_number = |piece: &[u8]| piece.len() >= 9 && piece.iter().all(u8::is_ascii_digit);
    let is_numbered = pieces().any(is_number);
    pieces().filter(|piece| piece.len() >= 16).any(|piece| {
        let is_mixed = has(piece, u8::is_ascii_uppercase) && has(piece, u8::is_ascii_lowercase);
        has(piece, u8::is_ascii_alphabetic) && (has(piece, u8::is_ascii_digit) || is_numbered && is_mixed)
    })
}
