//! Credentials that a command, an address or a header gives: `smbclient -U ci%Tr0ub4dor`, `https://example.org/x?X-Amz-Signature=…`.
//!
//! Where a place is made for a credential, whatever stands in it is one, unless it stands for another: `$TOKEN`, `<password>`,
//! `{{ key }}`. A rule that is held back by mistake keeps its deterministic line.

use super::called::{is_called, is_kept};
use super::named::Named;
use super::spoken_word::{SpokenWord, spoken};

/// Whether a text gives a credential away, as far as its commands, addresses and headers show.
pub(super) fn gives_a_credential(text: &str) -> bool {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(MARKS))
        .filter(|word| !word.is_empty())
        .collect();
    is_called(text)
        || (0..words.len()).any(|at| {
            let behind = &words[at + 1..];
            is_opaque(words[at])
                || is_signed(words[at])
                || is_header(words[at], behind)
                || is_option(words[at], behind)
                || is_set(words[at])
                || is_kept(&words, at)
                || is_fed(&words, at)
                || is_login(&words[at..])
                || Program::of(words[at]).is_some_and(|program| program.is_given(behind))
        })
}

const MARKS: &[char] =
    &['"', '\'', '`', '“', '”', '‘', '’', '(', ')', '[', ']', ',', ';', '!', '?', '*', '…'];

/// In the name of a parameter, a header or an option these make its value a credential.
const NAMES: &[&str] = &[
    "pass",
    "pwd",
    "secret",
    "token",
    "credential",
    "auth",
    "apikey",
    "api-key",
    "api_key",
    "cookie",
    "signature",
];

fn is_named(name: &str) -> bool {
    let name = name.to_lowercase();
    NAMES.iter().any(|part| name.contains(part))
}

/// Whether something stands here, and for itself.
pub(super) fn is_value(value: &str) -> bool {
    let value = value.trim_matches(MARKS).trim_end_matches(['.', ':']);
    let is_name = value.len() > 2
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && value.contains('_');
    let stands_for_another = value.starts_with(['$', '<', '{', '%', '@', '-'])
        || ["env:", "file:", "fd:", "stdin"].iter().any(|start| value.starts_with(start))
        || value.bytes().all(|byte| matches!(byte, b'*' | b'.' | b'x' | b'X'));
    !(is_name || stands_for_another)
}

/// Letters and digits in turn, and many of them: a key, a digest, a signature. Nobody reads it aloud.
fn is_opaque(word: &str) -> bool {
    word.split(|c: char| !c.is_ascii_alphanumeric()).any(|run| {
        let bytes = run.as_bytes();
        let turns = bytes.windows(2).filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit()).count();
        bytes.len() >= 16 && turns >= 4
    })
}

/// An address with a password or with a parameter that lets somebody in.
fn is_signed(word: &str) -> bool {
    let Some((_, rest)) = word.split_once("://") else { return false };
    let (address, query) = rest.split_once(['?', '#']).unwrap_or((rest, ""));
    let host = address.split('/').next().unwrap_or_default();
    let password =
        host.rsplit_once('@').and_then(|(user, _)| user.split_once(':')).map(|(_, password)| password);
    let admits = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let is_key = matches!(name.to_lowercase().as_str(), "key" | "sig" | "code" | "session" | "sid");
        (is_key || is_named(name)) && is_value(value)
    };
    password.is_some_and(is_value) || query.split('&').any(admits)
}

/// `Authorization: Bearer abcdef`, `X-Auth: …`. The word in front of a scheme's value is the scheme.
fn is_header(word: &str, behind: &[&str]) -> bool {
    let Some((name, glued)) = word.split_once(':') else { return false };
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let is_secret = name.eq_ignore_ascii_case("cookie")
        || name.eq_ignore_ascii_case("authorization")
        || (name.contains('-') && !name.starts_with('-') && is_named(name));
    let value = if glued.is_empty() { behind.first().copied() } else { Some(glued) };
    let is_scheme =
        |value: &str| ["bearer", "basic", "token", "digest"].contains(&value.to_lowercase().as_str());
    let value = match value {
        Some(scheme) if is_scheme(scheme) => behind.get(usize::from(glued.is_empty())).copied(),
        value => value,
    };
    is_secret && name.chars().all(letters) && value.is_some_and(is_value)
}

/// `--password hunter`, `-storepass hunter`, `--api-key=…`, and behind a short flag what no word is: `-w secret123`.
fn is_option(word: &str, behind: &[&str]) -> bool {
    if let Some(long) = word.strip_prefix("--") {
        let (name, glued) = long.split_once('=').unwrap_or((long, ""));
        let value = if glued.is_empty() { behind.first().copied() } else { Some(glued) };
        let ends = !name.ends_with("bypass")
            && (NAMES.iter().any(|part| name.ends_with(part))
                || name.ends_with("password")
                || Named::is_option(name));
        return ends && value.is_some_and(is_value);
    }
    // `-storepass`, as tools that come with Java have it.
    let long = word.strip_prefix('-').filter(|name| name.len() > 2 && !name.ends_with("bypass"));
    if let Some((name, glued)) = long.map(|long| long.split_once([':', '=']).unwrap_or((long, "")))
        && (Named::is_option(name) || name.ends_with("pass") || name.ends_with("password"))
    {
        let value = if glued.is_empty() { behind.first().copied() } else { Some(glued) };
        return value.is_some_and(|value| value.len() > 3 && is_value(value));
    }
    let is_short = word.len() == 2 && word.starts_with('-') && word.as_bytes()[1].is_ascii_alphabetic();
    let odd = |value: &&str| {
        spoken(value).iter().any(|word| {
            let is_plain = word.stands_for_another() || word.is_technical() || word.is_code();
            word.bare.len() > 5 && word.has_letter_and_digit() && !is_plain
        })
    };
    is_short && behind.first().is_some_and(odd)
}

/// `DB_PASSWORD=swordfish`. What only tells about one has another name (`TOKEN_TTL`, `PGPASSFILE`) or another value.
fn is_set(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=') else { return false };
    let is_variable =
        name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let tells = [
        "FILE", "PATH", "DIR", "URL", "CMD", "COMMAND", "PROMPT", "TTL", "AUTHOR", "LENGTH", "POLICY", "NAME",
    ];
    let is_about = tells.iter().any(|end| name.contains(end));
    let is_switch =
        ["true", "false", "none", "off", "on", "yes", "no", "required", "optional"].contains(&value);
    let is_plain =
        is_switch || value.len() < 4 || value.starts_with(['/', '~', '.']) || value.parse::<f64>().is_ok();
    name.len() > 2 && is_variable && is_named(name) && !is_about && !is_plain && is_value(value)
}

/// `echo hunter22 | sudo -S`, `kinit ops <<< hunter22`: what a program that reads a password is fed.
fn is_fed(words: &[&str], at: usize) -> bool {
    let given = |value: &&&str| value.len() >= 4 && !value.starts_with('-') && is_value(value);
    match words[at] {
        "echo" | "printf" => {
            let Some(pipe) = words[at..].iter().position(|word| *word == "|") else { return false };
            let end = words[at + pipe + 1..].iter().position(|word| *word == "|");
            let reader = &words[at + pipe + 1..end.map_or(words.len(), |end| at + pipe + 1 + end)];
            words[at + 1..at + pipe]
                .iter()
                .find(|word| !word.starts_with('-'))
                .is_some_and(|value| given(&value))
                && reads_a_password(reader)
        }
        "<<<" => words.get(at + 1).is_some_and(|value| given(&value)) && reads_a_password(&words[..at]),
        _ => false,
    }
}

fn reads_a_password(command: &[&str]) -> bool {
    let readers = [
        "chpasswd",
        "passwd",
        "smbpasswd",
        "cryptsetup",
        "kinit",
        "su",
        "--password-stdin",
        "--pass-stdin",
        "--passphrase-fd",
        "--stdin",
    ];
    let asks_sudo = command.contains(&"sudo") && command.contains(&"-S");
    asks_sudo || command.iter().any(|word| readers.contains(word))
}

/// `ftp ops hunter22`, `net user ops hunter22 /add`, `sqlplus scott/tiger@orcl`, and the line of a `.netrc`.
fn is_login(words: &[&str]) -> bool {
    let odd = |word: &str| {
        let spoken = spoken(word);
        let plain =
            |word: &SpokenWord<'_>| word.stands_for_another() || word.is_technical() || word.is_code();
        spoken.iter().any(|word| word.bare.len() >= 6 && word.has_letter_and_digit() && !plain(word))
    };
    match words {
        ["ftp" | "telnet" | "rlogin", user, password, ..] => !user.starts_with('-') && odd(password),
        ["net", "user", _, password, rest @ ..] => {
            odd(password) || (rest.contains(&"/add") && is_value(password))
        }
        ["sqlplus" | "rman" | "expdp" | "impdp", login, ..] => {
            let named =
                |(user, password): (&str, &str)| !user.is_empty() && is_value(user) && is_value(password);
            login.split_once('/').is_some_and(|pair| !pair.1.is_empty() && named(pair))
        }
        ["machine", _, "login", _, "password", password, ..] => is_value(password),
        _ => false,
    }
}

/// A program that is told credentials on its command line.
struct Program {
    /// The flags behind which one stands.
    flags: &'static [&'static str],
}

const PROGRAMS: &[(&[&str], &[&str])] = &[
    (&["smbclient", "rpcclient", "winexe", "smbmap"], &["-U", "-p"]),
    (&["ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldappasswd"], &["-w", "-s", "-a"]),
    (&["openssl"], &["-k", "-K", "-pass", "-passin", "-passout"]),
    (&["snmpwalk", "snmpget", "snmpset", "snmpbulkwalk"], &["-c", "-A", "-X"]),
    (
        &["mysql", "mysqldump", "mysqladmin", "mariadb", "sshpass", "mongosh", "mongodump", "sqlcmd", "bcp"],
        &["-p", "-P"],
    ),
    (&["redis-cli", "valkey-cli"], &["-a"]),
    (&["ncftp", "ncftpput", "ncftpget"], &["-p"]),
    (&["curl", "wget", "http", "https", "lftp"], &["-u", "--user", "-b"]),
    (&["docker", "podman", "helm", "az", "oc"], &["-p"]),
    (&["zip", "unzip", "7z", "ipmitool"], &["-p", "-P"]),
    (&["htpasswd"], &["-b", "-nb", "-bc"]),
    (&["gpg"], &["--passphrase"]),
    (&["net"], &["use"]),
];

impl Program {
    fn of(word: &str) -> Option<Self> {
        let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
        let found = PROGRAMS.iter().find(|(names, _)| names.contains(&name));
        found.map(|(_, flags)| Self { flags })
    }

    /// Whether a flag has a value: `-w secret`, `-wsecret`. `docker run -p 80:80` maps a port.
    fn is_given(&self, words: &[&str]) -> bool {
        if self.flags == ["use"] {
            return words.first() == Some(&"use")
                && words.iter().any(|word| word.to_lowercase().starts_with("/user:"));
        }
        let is_port = |value: &str| value.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
        let given = |value: &str| is_value(value) && !is_port(value);
        (0..words.len()).any(|at| {
            self.flags.iter().any(|flag| {
                let glued = words[at].strip_prefix(flag).filter(|rest| flag.len() == 2 && !rest.is_empty());
                let next = words.get(at + 1).filter(|_| words[at] == *flag).copied();
                glued.or(next).is_some_and(given)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What must never leave the machine.
    const GIVEN: &[&str] = &[
        "Fetch `https://example.org/x?X-Amz-Signature=4b1f0c9d8e7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c`",
        "Run `curl -H 'X-Auth: 9f2b4c8d1e6a7b3c5d0f' host`",
        "Run `curl -H 'X-Auth: opensesame' host`",
        "Run `smbclient -U ci%Tr0ub4dor //srv/share`",
        "Run `smbclient -U ci%swordfish //srv/share`",
        "Search with `ldapsearch -D cn=admin -w secret123`",
        "Search with ldapsearch -D cn=admin -w swordfish first",
        "Pack with `openssl enc -k Tr0ub4dor`",
        "Pack with `openssl enc -aes256 -pass pass:swordfish`",
        "Walk with `snmpwalk -c s3cr3tcommunity host`",
        "Walk with `snmpwalk -v2c -c community host`",
        r"Mount with `net use Z: \\srv\s Tr0ub4dor /user:ci`",
        "Send `Authorization: Bearer abcdef` along",
        "Send \"authorization: Basic Y2k6eA==\" along",
        "Send `Authorization:opensesame` along",
        "Set `Cookie: sid=abcdef` on the call",
        "Connect with `mysql -uroot -pswordfish`",
        "Connect with `redis-cli -a swordfish`",
        "Fetch with `curl -u ci:swordfish host`",
        "Clone https://ci:swordfish@example.org/x",
        "Open `https://example.org/?access_token=abc`",
        "Open `https://example.org/cb#code=abc`",
        "Run `tool --password swordfish`",
        "Run `tool --auth-token=swordfish`",
        "Run `tool -z s3same1`",
        "Run `echo hunter22 | sudo -S systemctl restart app`",
        "Run echo hunter22 | sudo -S reboot",
        "Run `echo swordfish | docker login --password-stdin -u ci`",
        "Run `printf 'ops:swordfish' | chpasswd`",
        "Run `echo -n swordfish | cryptsetup open /dev/sdb1 data -`",
        "Run `sudo -S reboot <<< swordfish`",
        "Run `echo swordfish | gpg --batch --passphrase-fd 0 -d x.gpg`",
        "Run `ftp ops hunter22`",
        "Upload with `ftp ops hunter22` at night",
        "Upload with `ncftpput -u ops -p swordfish host /in a.tar`",
        "Run `export DB_PASSWORD=swordfish` first",
        "Run `PGPASSWORD=swordfish psql -h db`",
        "Run `net user ops Tr0ub4dor /add`",
        "Connect with `sqlplus scott/tiger@orcl`",
        "Run `kinit ops <<< swordfish`",
        "Run `sshpass -p swordfish ssh host`",
        "Set `machine example.org login ci password swordfish` in .netrc",
    ];
    /// What is an ordinary rule.
    const ORDINARY: &[&str] = &[
        "Run `cargo test -p mentci-model --all`",
        "Run `mkdir -p target/x` before building",
        "Run `docker run -p 8080:80 app`",
        "Send `Authorization: Bearer $TOKEN` along",
        "Send `X-Auth: <token>` along",
        "Search with `ldapsearch -D cn=admin -w $LDAP_PASSWORD`",
        "Search with `ldapsearch -W -D cn=admin`",
        "Pack with `openssl enc -pass env:PASSPHRASE`",
        "Fetch `https://example.org/docs?page=2&sort=name`",
        "Fetch https://ci:$TOKEN@example.org/x",
        "Run `curl -H 'Content-Type: application/json' host`",
        "Run `tool --password <password>`",
        "Use `x86_64-unknown-linux-gnu` as target",
        "Name the migration 20260101_add_users",
        "Log key: value pairs at most once",
        "Use HTTP for local calls, and https elsewhere",
        "Walk with `tar -x -f a.tar`",
        "Set `RUSTFLAGS=-Cdebuginfo=0` in CI",
        "Never put a password into `net use`",
        "Run `echo done | tee out.log` at the end",
        "Run `echo $SUDO_PASS | sudo -S reboot`",
        "Run `cat token.txt | docker login --password-stdin -u ci`",
        "Run `pass show ci | docker login --password-stdin`",
        "Run `echo y | apt install x`",
        "Pipe the list: `echo a b | xargs sudo rm`",
        "Use ftp for the mirror of web01",
        "Fetch with `ftp -n host.example.org`",
        "Never use ftp, telnet or rsh2 on hosts",
        "Run `net user` to list accounts",
        "Run `export RUST_LOG=debug1` first",
        "Run `DB_HOST=db1 psql -h db1`",
        "Set `PGPASSFILE=~/.pgpass` on the runner",
        "Run `sqlplus /nolog`",
        "Read `<<<` as a here-string",
        "Never run `sudo -S` in scripts",
    ];

    #[test]
    fn what_a_command_gives_away_is_told_from_what_it_asks_for() {
        let missed: Vec<_> = GIVEN.iter().filter(|text| !gives_a_credential(text)).collect();
        let held_back: Vec<_> = ORDINARY.iter().filter(|text| gives_a_credential(text)).collect();
        assert!(missed.is_empty() && held_back.is_empty(), "missed {missed:#?}, held back {held_back:#?}");
    }
}
