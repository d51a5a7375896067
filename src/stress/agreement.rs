//! Groups programs by their agreement on the answer to an input.

/// The programs that produced an answer, grouped by agreement, and the programs that produced no answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The names of the programs in each group. Programs of one group agree with each other, and programs of
    /// different groups disagree.
    pub groups: Vec<Vec<String>>,
    /// The names of the programs that produced no answer because they exceeded their time or memory limits on this
    /// input or on an input that is not larger.
    pub unanswered: Vec<String>,
}

impl Agreement {
    /// Describes which programs agree, such as `` `a.py` and `b.cpp` agree; `sol.cpp` differs ``, and which programs
    /// produced no answer. The agreement of fewer than three programs is not described. Returns an empty string if
    /// there is nothing to describe.
    pub fn words(&self) -> String {
        let count: usize = self.groups.iter().map(Vec::len).sum();
        let mut parts: Vec<String> = Vec::new();
        if count + self.unanswered.len() > 2 {
            let mut groups = self.groups.clone();
            groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
            parts.extend(groups.iter().filter(|group| group.len() > 1).map(|group| format!("{} agree", listed(group))));
            let alone: Vec<String> = groups.iter().filter(|group| group.len() == 1).flatten().cloned().collect();
            match alone.len() {
                0 => {}
                1 => parts.push(format!("{} differs", listed(&alone))),
                _ if parts.is_empty() => parts.push(format!("{} give different answers", listed(&alone))),
                _ => parts.push(format!("{} differ", listed(&alone))),
            }
        }
        if !self.unanswered.is_empty() {
            parts.push(format!("{} did not answer within the time and memory limits", listed(&self.unanswered)));
        }
        parts.join("; ")
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(|name| format!("`{name}`")).collect();
            format!("{} and `{last}`", rest.join(", "))
        }
    }
}

/// Groups the outputs with the indices below `count`. `same(answer, output)` returns whether the output with the index
/// `output` is accepted if the output with the index `answer` is used as the answer. Each output is added to the first
/// group for which it is accepted when the first output of the group is the answer.
///
/// # Errors
/// Fails if `same` fails.
pub(super) fn grouped<E>(
    count: usize,
    same: &mut dyn FnMut(usize, usize) -> Result<bool, E>,
) -> Result<Vec<Vec<usize>>, E> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    'outputs: for output in 0..count {
        for group in &mut groups {
            if same(group[0], output)? {
                group.push(output);
                continue 'outputs;
            }
        }
        groups.push(vec![output]);
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(groups: &[&[&str]], unanswered: &[&str]) -> String {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let groups = groups.iter().map(|group| owned(group)).collect();
        Agreement { groups, unanswered: owned(unanswered) }.words()
    }

    #[test]
    fn agreement_is_put_in_words() {
        assert_eq!(words(&[&["sol"], &["brute"]], &[]), "");
        assert_eq!(words(&[&["sol"], &["a", "b"]], &[]), "`a` and `b` agree; `sol` differs");
        assert_eq!(words(&[&["sol"], &["a"], &["b"]], &[]), "`sol`, `a` and `b` give different answers");
        assert_eq!(words(&[&["s", "t"], &["a"], &["b"]], &[]), "`s` and `t` agree; `a` and `b` differ");
        assert_eq!(
            words(&[&["s"], &["a"]], &["b"]),
            "`s` and `a` give different answers; `b` did not answer within the time and memory limits"
        );
    }

    #[test]
    fn equal_outputs_are_grouped() {
        let outputs = [1, 2, 1, 3, 2];
        let groups = grouped(5, &mut |a, b| Ok::<_, ()>(outputs[a] == outputs[b])).unwrap();
        assert_eq!(groups, [vec![0, 2], vec![1, 4], vec![3]]);
    }
}
