//! What no model is sent.

use mentci_detect::Detector;

use super::given::gives_a_credential;
use super::spoken::tells_a_secret;

/// Looks for what must not leave this machine.
#[derive(Debug)]
pub(crate) struct Secrets(Detector);

impl Secrets {
    pub(crate) fn new() -> Self {
        Self(Detector::all())
    }

    /// Whether a text holds what looks like a secret or like personal data, tells one in words, or gives one to a command.
    pub(crate) fn any_in(&self, text: &str) -> bool {
        self.0.has_any(text) || tells_a_secret(text) || gives_a_credential(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What must never leave the machine.
    const TOLD: &[&str] = &[
        "Set db.password to hunter22",
        "Set dbPassword to hunter22",
        "Set config.password to swordfish",
        "Set `auth.token` to `k91zz40b77` in staging",
        "Set auth.apiKey to 9f8e7d6c5b4a39281706 in staging",
        "Set `apiKey` to `9f8e7d6c5b4a39281706` in staging",
        "The db.password is hunter22, use it in staging",
        "Use db.password hunter22 in staging",
        "Use the dbPassword hunter22 in staging",
        "Put hunter22 into db.password before the run",
        "Put `hunter22` into `db.password` before the run",
        "Store hunter22 as the db.password before the run",
        "Set client.secret to k91zz40b77",
        "Set clientSecret to k91zz40b77",
        "Set DEPLOY_KEY to k91-zz40b77",
        "Set DEPLOY_KEY to k91.zz40b77",
        "Set DEPLOY_KEY to k91/zz40b77",
        "Set DEPLOY_KEY to k91+zz40/b77==",
        "Set AWS_SECRET_ACCESS_KEY to abcdefg1/ABCDEFGHijklMNOPqrstUVWXyz012345",
        "Log in with password k91/zz40b77",
        "The token is k91/zz40b77, send it",
        "Connect as admin:Sup3r/S3cret in staging",
        "Unlock the vault with 99182",
        "Unlock the vault with Sup3rS3cret!",
        "Open the vault with Sup3rS3cret!",
        "Connect as admin with Sup3rS3cret in staging",
        "Connect with admin/Sup3rS3cret in staging",
        "Sign in to staging as `admin` / `hunter22`",
        "Use the login admin/hunter22 in staging",
        "Set quay.io/token to k91zz40b77",
        "Set server.ssl.key-store-password to changeit42",
        "Set db.password=changeit42 in the file",
        "Set `spring.datasource.password=Winter2024!` in the file",
        "Use `spring.datasource.password: hunter22` in the config",
        "Set `dbPassword=changeit42` in the file",
        "Set the dbPassword to changeit42 in the file",
        "Set jwtSecret to opensesame",
        "Run `app --db.password changeit42` in staging",
        "Run `app --pw changeit42` in staging",
        "Run `app --db-pass=changeit42` in staging",
        "Run `keytool -storepass changeit42 -list`",
        "Run `keytool -keypass swordfish -list`",
        "Run `gh secret set NAME --body changeit42`",
        "Run `kubectl create secret generic x --from-literal=pw=changeit42`",
        "Call `login(\"bob\", \"changeit42\")` before the run",
        "Call `setPassword(\"changeit42\")` before the run",
        "Call `client.set_token('opensesame')` before the run",
        "Use the recovery code 8f3k-29dk-x8s2 for the account",
        "Use backup codes 8f3k-29dk-x8s2 for the account",
        "Enter pin CANARY21",
    ];
    /// What is an ordinary rule.
    const ORDINARY: &[&str] = &[
        "Read `db.password` from the vault",
        "Rename `userPassword` to `passwordHash`",
        "Never log `user.password` or `auth.token`",
        "Set `dbPassword` from the environment",
        "Set `db.password` to `${DB_PASSWORD}`",
        "Set `clientSecret` to `process.env.CLIENT_SECRET`",
        "Hash it with `hashPassword(input)` before storing",
        "Call `setPassword(value)` once",
        "Call `getPassword(\"db\")` once",
        "Call `connect(\"db1\", \"replica\")` once",
        "Keep `primaryKey` as the first column",
        "Set `cacheKey` to the hash of the lock file",
        "Run `app --bypass cache1` in staging",
        "Run `app --db.password $DB_PASSWORD` in staging",
        "Run `keytool -storepass $PASS -list`",
        "Run `gh secret set NAME --body $VALUE`",
        "Run `gh secret list --repo x/y1`",
        "Pin ubuntu-22.04 and python3 on the runner",
        "Pin node20 in the workflow",
        "Unlock the mutex with a guard",
        "Open the door panel with the key of the rack",
        "Connect with http/2 or ipv4/ipv6",
        "Connect as the service account with mTLS",
        "Keep `src/v2api/mod.rs` small",
        "Use `text/html5lib` for pages",
        "Write recovery codes to the vault",
        "Return error code E1108 for it",
        "Use `tokens.max` and `auth.token_ttl` as given",
    ];

    #[test]
    fn what_tells_a_secret_is_withheld_and_no_more() {
        let secrets = Secrets::new();
        let missed: Vec<_> = TOLD.iter().filter(|text| !secrets.any_in(text)).collect();
        let held_back: Vec<_> = ORDINARY.iter().filter(|text| secrets.any_in(text)).collect();
        assert!(missed.is_empty() && held_back.is_empty(), "missed {missed:#?}, held back {held_back:#?}");
    }
}
