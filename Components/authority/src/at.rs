//! The time of an event, with the offset under which its author read a clock.

use std::fmt;

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment in milliseconds since 1970 UTC, with the offset of the zone in which schedules read it.
///
/// Reads RFC 3339 (`2026-03-02T10:00:00+02:00`) or a number of milliseconds, which is UTC. Time enters with the event and
/// from nowhere else, so that a replay decides what the session decided.
///
/// ```
/// use mentci_authority::At;
/// let at: At = serde_json::from_str(r#""2026-03-02T23:30:00+02:00""#)?;
/// assert_eq!((at.ms, at.minute_of_day(), at.weekday()), (1_772_487_000_000, 23 * 60 + 30, 0));
/// assert!(serde_json::from_str::<At>(r#""yesterday""#).is_err());
/// assert!(serde_json::from_str::<At>("99999999999999999999").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct At {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub ms: i64,
    /// Seconds east of UTC.
    pub offset_seconds: i32,
}

const MS_PER_MINUTE: i64 = 60_000;
const MINUTES_PER_DAY: i64 = 24 * 60;

impl At {
    /// A moment in UTC.
    pub fn utc(ms: i64) -> Self {
        Self { ms, offset_seconds: 0 }
    }

    /// Reads RFC 3339.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let pieces = jiff::fmt::temporal::DateTimeParser::new()
            .parse_pieces(text)
            .map_err(|error| format!("`{}` is no RFC 3339 time: {error}", text.escape_debug()))?;
        let moment: Timestamp = text
            .parse()
            .map_err(|error| format!("`{}` is no RFC 3339 time: {error}", text.escape_debug()))?;
        let offset = pieces.to_numeric_offset().map_or(0, Offset::seconds);
        Ok(Self { ms: moment.as_millisecond(), offset_seconds: offset })
    }

    /// The same moment, read under another offset.
    #[must_use]
    pub fn with_offset(self, offset_seconds: i32) -> Self {
        Self { offset_seconds, ..self }
    }

    /// The minute of the local day, from 0 to 1439.
    pub fn minute_of_day(self) -> u16 {
        // OK because a remainder by 1440 fits.
        u16::try_from(self.local_minutes().rem_euclid(MINUTES_PER_DAY)).unwrap_or(0)
    }

    /// The local day of the week: Monday is 0, Sunday 6.
    pub fn weekday(self) -> u8 {
        // 1970-01-01 was a Thursday.
        u8::try_from((self.local_minutes().div_euclid(MINUTES_PER_DAY) + 3).rem_euclid(7)).unwrap_or(0)
    }

    fn local_minutes(self) -> i64 {
        self.ms.saturating_add(i64::from(self.offset_seconds) * 1_000).div_euclid(MS_PER_MINUTE)
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(moment) = Timestamp::from_millisecond(self.ms) else { return write!(f, "{}", self.ms) };
        match (self.offset_seconds, Offset::from_seconds(self.offset_seconds)) {
            (0, _) | (_, Err(_)) => write!(f, "{moment}"),
            (_, Ok(offset)) => {
                let zoned = moment.to_zoned(TimeZone::fixed(offset));
                write!(f, "{}", zoned.strftime("%Y-%m-%dT%H:%M:%S%.f%:z"))
            }
        }
    }
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Written)
    }
}

/// As it is written: records hold one each, so that no form is tried in vain.
struct Written;

impl Visitor<'_> for Written {
    type Value = At;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an RFC 3339 time or milliseconds since 1970 UTC")
    }

    fn visit_i64<E: de::Error>(self, ms: i64) -> Result<At, E> {
        match Timestamp::from_millisecond(ms) {
            Ok(_) => Ok(At::utc(ms)),
            Err(_) => {
                Err(E::custom(format!("`{ms}` milliseconds since 1970 are beyond the years -9999 to 9999")))
            }
        }
    }

    fn visit_u64<E: de::Error>(self, ms: u64) -> Result<At, E> {
        self.visit_i64(i64::try_from(ms).unwrap_or(i64::MAX))
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a fraction of a millisecond is dropped; the cast saturates"
    )]
    fn visit_f64<E: de::Error>(self, ms: f64) -> Result<At, E> {
        self.visit_i64(ms as i64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<At, E> {
        At::parse(text).map_err(de::Error::custom)
    }
}
