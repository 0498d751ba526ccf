//! The verbs of tokens.

use std::io::Write;
use std::sync::Arc;

use mentci_daemon::TokenFile;
use mentci_disk::RealFs;
use mentci_host::Outcome;
use mentci_source::Finding;
use mentci_workspace::{Change, Clock, Deed, Surroundings, SystemClock};
use serde_json::json;

use crate::answers::table;
use crate::arguments::Arguments;
use crate::daemon_arguments::Tokens;
use crate::run::opened;
use crate::surroundings::surroundings;
use crate::{output, paint};

/// The file of the user's tokens; none where the user has no place for state.
pub(crate) fn file(around: &Surroundings) -> Option<TokenFile> {
    around.state.as_ref().map(|state| TokenFile::new(Arc::new(RealFs), state))
}

/// Carries a verb out.
pub(crate) fn tokens(arguments: &Arguments, verb: &Tokens) -> Outcome {
    let json = arguments.common.json;
    let Some(file) = file(&surroundings(&arguments.common)) else {
        return paint::refuse("there is no place for the user's state", "set `XDG_STATE_HOME` or `HOME`");
    };
    let done = match verb {
        Tokens::New { name, scope } => file.make(name, *scope, &SystemClock::new().now()).map(|secret| {
            let told = json!({"name": name, "scope": scope, "token": secret});
            if json { format!("{told}\n") } else { format!("{secret}\n") }
        }),
        Tokens::List => file.tokens().map(|tokens| {
            let told = tokens
                .iter()
                .map(|token| json!({"name": token.name, "scope": token.scope, "made": token.made}));
            if json {
                format!("{}\n", json!({"tokens": told.collect::<Vec<_>>()}))
            } else {
                let row = |token: &mentci_daemon::Token| {
                    vec![token.name.clone(), token.scope.to_string(), token.made.clone()]
                };
                table(&["name", "scope", "made"], tokens.iter().map(row), &[])
            }
        }),
        Tokens::Revoke { name } => file.revoke(name).map(|()| {
            if json {
                format!("{}\n", json!({ "revoked": name }))
            } else {
                format!("`{name}` is good no more\n")
            }
        }),
    };
    match done {
        Ok(text) => {
            told(arguments, verb);
            output::text(&text);
            Outcome::Ok
        }
        Err(finding) => refused(&finding),
    }
}

/// Tells the log of the workspace in which it was typed.
fn told(arguments: &Arguments, verb: &Tokens) {
    let change = match verb {
        Tokens::New { name, scope } => Change::new(Deed::TokenMade, name, "user").to(scope.name().into()),
        Tokens::Revoke { name } => Change::new(Deed::TokenRevoked, name, "user"),
        Tokens::List => return,
    };
    // OK to pass over: where there is no workspace, none has a log that could tell of it.
    let Ok(workspace) = opened(arguments) else { return };
    for finding in workspace.tell(change) {
        let _ = writeln!(anstream::stderr(), "{finding}");
    }
    std::mem::forget(workspace);
}

fn refused(finding: &Finding) -> Outcome {
    paint::refuse(&finding.message, finding.help.as_deref().unwrap_or("check who owns the state directory"))
}
