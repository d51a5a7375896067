//! Points in time. The queue reads no clock; callers pass the current time as a [`Moment`].

use std::fmt;

/// A point in time, in milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub u64);

impl Moment {
    /// Returns the point in time that is `ms` milliseconds later.
    #[must_use]
    pub const fn after(self, ms: u64) -> Moment {
        Moment(self.0.saturating_add(ms))
    }

    /// Returns the milliseconds since `earlier`; 0 if `earlier` is later.
    pub const fn since(self, earlier: Moment) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}
