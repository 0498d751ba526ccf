//! The table of what was measured: ratios beside the peers, in Markdown.

/// What must hold of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// Ours over theirs, at most.
    AtMost(f64),
    /// Theirs over ours, at least.
    TimesFaster(f64),
    /// Ours over theirs, at least: of rates.
    AtLeast(f64),
    /// Our figure, at most, in its unit.
    Below(f64),
    /// A count that must be this.
    Exactly(f64),
    /// Nothing is asked; it is told.
    Told,
}

/// What a figure counts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    /// Seconds, printed as fits.
    Seconds,
    /// Mebibytes.
    Mebibytes,
    /// Millions of bytes a second.
    MegabytesPerSecond,
    /// Things a second.
    PerSecond,
    /// Just a number.
    Count,
}

/// One line of the table.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// What was measured.
    pub(crate) what: String,
    /// The unit of both figures.
    pub(crate) unit: Unit,
    /// Our figure.
    pub(crate) ours: f64,
    /// The peer and its figure.
    pub(crate) peer: Option<(String, f64)>,
    /// What must hold.
    pub(crate) target: Target,
}

impl Row {
    /// A row beside a peer.
    pub(crate) fn beside(what: &str, unit: Unit, ours: f64, peer: (&str, f64), target: Target) -> Self {
        Self { what: what.to_owned(), unit, ours, peer: Some((peer.0.to_owned(), peer.1)), target }
    }

    /// A row that stands alone.
    pub(crate) fn alone(what: &str, unit: Unit, ours: f64, target: Target) -> Self {
        Self { what: what.to_owned(), unit, ours, peer: None, target }
    }

    /// Whether the target is reached; `None` when there is none.
    pub(crate) fn is_reached(&self) -> Option<bool> {
        let theirs = self.peer.as_ref().map_or(f64::NAN, |(_, theirs)| *theirs);
        match self.target {
            Target::AtMost(ratio) => Some(self.ours <= theirs * ratio),
            Target::TimesFaster(times) => Some(self.ours * times <= theirs),
            Target::AtLeast(times) => Some(self.ours >= theirs * times),
            Target::Below(limit) => Some(self.ours < limit),
            Target::Exactly(count) => Some((self.ours - count).abs() < 0.5),
            Target::Told => None,
        }
    }
}

/// Prints the rows as a Markdown table.
pub(crate) fn print(rows: &[Row]) {
    println!("| measured | Mentci | peer | ratio | target |");
    println!("|---|---:|---|---:|---|");
    for row in rows {
        println!("{}", line(row));
    }
}

fn line(row: &Row) -> String {
    let ours = figure(row.ours, row.unit);
    let peer = row
        .peer
        .as_ref()
        .map_or(String::new(), |(name, theirs)| format!("{} {name}", figure(*theirs, row.unit)));
    let verdict = match row.is_reached() {
        Some(true) => "reached",
        Some(false) => "**missed**",
        None => "",
    };
    format!("| {} | {ours} | {peer} | {} | {} {verdict} |", row.what, ratio(row), wanted(row))
}

/// In the direction that the target asks for.
fn ratio(row: &Row) -> String {
    match (&row.peer, row.target) {
        (None, _) => String::new(),
        (Some((_, theirs)), Target::TimesFaster(_)) => format!("{:.1}x faster", theirs / row.ours),
        (Some((_, theirs)), _) => format!("{:.2}x", row.ours / theirs),
    }
}

fn wanted(row: &Row) -> String {
    match row.target {
        Target::AtMost(ratio) => format!("≤ {ratio}x:"),
        Target::TimesFaster(times) => format!("≥ {times}x faster:"),
        Target::AtLeast(times) => format!("≥ {times}x:"),
        Target::Below(limit) => format!("< {}:", figure(limit, row.unit)),
        Target::Exactly(count) => format!("= {count}:"),
        Target::Told => String::new(),
    }
}

fn figure(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Seconds if value >= 1.0 => format!("{value:.2} s"),
        Unit::Seconds if value >= 0.1 => format!("{:.0} ms", value * 1e3),
        Unit::Seconds if value >= 0.001 => format!("{:.1} ms", value * 1e3),
        Unit::Seconds if value >= 1e-5 => format!("{:.0} µs", value * 1e6),
        Unit::Seconds => format!("{:.0} ns", value * 1e9),
        Unit::Mebibytes => format!("{value:.0} MiB"),
        Unit::MegabytesPerSecond => format!("{value:.0} MB/s"),
        Unit::PerSecond => format!("{value:.0}/s"),
        Unit::Count => format!("{value:.0}"),
    }
}
