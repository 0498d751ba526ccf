//! Lines of the log as a table.

use std::fmt::Write;

use mentci_host::LogRow;
use serde_json::Value;

/// The names of the columns.
pub(super) const HEAD: &str =
    "seq,at,session,what,tool,args,sender,caller,decision,rules,approval,of,to,by,why,hash\r\n";

/// A row, as RFC 4180 has it. A text that a spreadsheet would run is led by an apostrophe.
pub(super) fn line(text: &mut String, row: &LogRow) {
    let args = if row.args == Value::Null { String::new() } else { row.args.to_string() };
    let at = row.at.map(|at| at.to_string()).unwrap_or_default();
    let rules = row.rules.join(" ");
    let decision = row.decision.map_or("", mentci_authority::Effect::name);
    let told = |text: &Option<String>| text.clone().unwrap_or_default();
    let cells = [
        at,
        row.session.clone(),
        row.what.clone(),
        told(&row.tool),
        args,
        told(&row.sender),
        told(&row.caller),
        decision.to_owned(),
        rules,
        told(&row.approval),
        told(&row.of),
        plain(&row.to),
        told(&row.by),
        told(&row.why),
        row.hash.to_string(),
    ];
    // Writing to a string cannot fail.
    let _ = write!(text, "{}", row.seq);
    for cell in cells {
        text.push(',');
        cell_into(text, &cell);
    }
    text.push_str("\r\n");
}

/// A text as it is, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn cell_into(text: &mut String, cell: &str) {
    let runs = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if !runs && !cell.contains([',', '"', '\n', '\r']) {
        text.push_str(cell);
        return;
    }
    text.push('"');
    if runs {
        text.push('\'');
    }
    text.push_str(&cell.replace('"', "\"\""));
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::cell_into;

    #[test]
    fn a_cell_stays_one_cell_and_is_never_run() {
        for (cell, expected) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=cmd()", "\"'=cmd()\""),
            ("", ""),
        ] {
            let mut text = String::new();
            cell_into(&mut text, cell);
            assert_eq!(text, expected);
        }
    }
}
