//! Times, as people read them.

use mentci_authority::At;
use mentci_page::Html;

/// A time in the page: how long ago, with the moment itself at hand.
pub(crate) fn ago(at: At, now: At, html: &mut Html) {
    let machine = At::utc(at.ms).to_string();
    let shown = since(at.ms, now.ms);
    html.leaf("time", &[("datetime", &machine), ("title", &machine), ("data-ago", "")], &shown);
}

/// A moment in the future: when it is, and how long until then. The script counts it down.
pub(crate) fn until(at: At, now: At, html: &mut Html) {
    let machine = At::utc(at.ms).to_string();
    html.leaf(
        "time",
        &[("datetime", &machine), ("title", &machine), ("data-until", "")],
        &left(at.ms, now.ms),
    );
}

/// `3 min ago`
pub(crate) fn since(ms: i64, now: i64) -> String {
    let seconds = now.saturating_sub(ms) / 1_000;
    match seconds {
        ..5 => "just now".to_owned(),
        5..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => day(ms),
    }
}

/// `4 min 05 s`, or `expired`.
pub(crate) fn left(ms: i64, now: i64) -> String {
    let seconds = ms.saturating_sub(now).div_euclid(1_000);
    match seconds {
        ..0 => "expired".to_owned(),
        0..60 => format!("{seconds} s left"),
        60..3_600 => format!("{} min {:02} s left", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min left", seconds / 3_600, seconds / 60 % 60),
    }
}

/// `2026-11-22 14:05`
pub(crate) fn day(ms: i64) -> String {
    let text = At::utc(ms).to_string();
    text.get(..16).map_or(text.clone(), |day| day.replace('T', " "))
}

/// `14:05:09`
pub(crate) fn clock(ms: i64) -> String {
    let text = At::utc(ms).to_string();
    text.get(11..19).map_or(text.clone(), str::to_owned)
}

/// Reads a time as answers tell it; none where there is none.
pub(crate) fn read(text: &str) -> Option<At> {
    At::parse(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_people_tell_them() {
        let now = 1_772_487_000_000;
        let told = [0, 4, 59, 60, 7_300, 90_000].map(|seconds| since(now - seconds * 1_000, now));
        assert_eq!(told, ["just now", "just now", "59 s ago", "1 min ago", "2 h ago", "2026-03-01 20:30"]);
        let told = [-1, 0, 59, 65, 4_000].map(|seconds| left(now + seconds * 1_000, now));
        assert_eq!(told, ["expired", "0 s left", "59 s left", "1 min 05 s left", "1 h 06 min left"]);
        assert_eq!(clock(now), "21:30:00");
    }
}
