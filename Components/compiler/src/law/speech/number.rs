//! The number in front of what a line says: `2. Cast off`, `3) Row`, `4: Moor`, `Step 2: Row`.

/// A line that opens with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbered<'t> {
    /// `12` of `12. Row`.
    pub(crate) number: &'t str,
    /// `.`, `)` or `:`.
    pub(crate) mark: char,
    /// `Row` of `12. Row`.
    pub(crate) said: &'t str,
}

impl<'t> Numbered<'t> {
    /// A space parts a number from what is said, so neither `2.5 knots` nor `12:30` is one.
    pub(crate) fn of(text: &'t str) -> Option<Self> {
        let (number, rest) = digits(text)?;
        let mark = rest.chars().next().filter(|mark| matches!(mark, '.' | ')' | ':'))?;
        let said = rest[mark.len_utf8()..].strip_prefix(' ')?.trim_start();
        Some(Self { number, mark, said })
    }

    /// The same, of a list: `2. Cast off`, `3) Row`.
    pub(crate) fn item(text: &'t str) -> Option<Self> {
        Self::of(text).filter(|numbered| numbered.mark != ':')
    }

    /// The same, and of what says that it is a step: `Step 2: Row`.
    pub(crate) fn step(text: &'t str) -> Option<Self> {
        Self::of(behind_step(text).unwrap_or(text))
    }
}

/// `Step 2`: what names its own place in an order.
pub(crate) fn opens_step(text: &str) -> bool {
    behind_step(text).and_then(digits).is_some()
}

/// The digits that open a text, and the rest.
pub(crate) fn digits(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let (number, rest) = text.split_at(text.len() - rest.len());
    (!number.is_empty()).then_some((number, rest))
}

fn behind_step(text: &str) -> Option<&str> {
    text.get(..5).filter(|name| name.eq_ignore_ascii_case("step ")).map(|_| &text[5..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_parted_from_what_is_said() {
        for (text, found) in [
            ("2. Cast off", Some(("2", '.', "Cast off"))),
            ("12)  Row", Some(("12", ')', "Row"))),
            ("4: Moor", Some(("4", ':', "Moor"))),
            ("2.5 knots", None),
            ("12:30", None),
            ("2 anchors", None),
            (". Row", None),
            ("Step 2: Row", None),
        ] {
            let numbered = Numbered::of(text).map(|found| (found.number, found.mark, found.said));
            assert_eq!(numbered, found, "{text}");
        }
    }

    #[test]
    fn a_step_may_say_that_it_is_one() {
        assert_eq!(Numbered::step("STEP 2: Row").map(|step| step.said), Some("Row"));
        assert_eq!(Numbered::step("2. Row").map(|step| step.said), Some("Row"));
        assert!(opens_step("Step 2 - Row") && !opens_step("Step aside") && !opens_step("2. Row"));
    }
}
