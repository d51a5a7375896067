//! Parses DOMjudge's additional files `domjudge-problem.ini` and `.timelimit`.

/// The settings that are read from `domjudge-problem.ini`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DomjudgeIni {
    /// Name of the problem.
    pub(super) name: Option<String>,
    /// Time limit in seconds.
    pub(super) time: Option<f64>,
}

impl DomjudgeIni {
    /// Parses lines of the form `key = 'value'`, in which the quotes are optional. Other lines are ignored, as in
    /// DOMjudge.
    pub(super) fn parse(text: &str) -> DomjudgeIni {
        let mut ini = DomjudgeIni::default();
        for line in text.lines() {
            let Some((key, value)) = line.split_once('=') else { continue };
            let value = value.trim().trim_matches(['\'', '"']).trim();
            match key.trim() {
                "name" if !value.is_empty() => ini.name = Some(value.to_owned()),
                "timelimit" => ini.time = seconds(value),
                _ => {}
            }
        }
        ini
    }
}

/// Parses a positive number of seconds. Returns `None` for any other text.
pub(super) fn seconds(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|time| time.is_finite() && *time > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_with_and_without_quotes() {
        let ini = DomjudgeIni::parse("; x\nname = 'A B'\ntimelimit=2.5\nexternalid='a'\ncolor\n");
        assert_eq!(ini, DomjudgeIni { name: Some("A B".to_owned()), time: Some(2.5) });
        assert_eq!(DomjudgeIni::parse("timelimit='-1'\nname=''\n"), DomjudgeIni::default());
    }
}
