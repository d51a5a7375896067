//! Groups of similar programs: the connected components of the graph whose edges are the similar pairs.

use std::collections::BTreeMap;

use super::class::ProblemSimilarity;

/// A group of programs that are connected by similar pairs. Two members need not be similar to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimilarGroup {
    /// The programs, one for each set of identical programs, as indices into [`ProblemSimilarity::programs`]. The
    /// program that is most similar to the others comes first, and the others are in the order of their indices.
    pub members: Vec<usize>,
    /// The pairs that connect the members, as indices into the pairs of the problem.
    pub pairs: Vec<usize>,
    /// The lowest and the highest similarity of the pairs, in thousandths.
    pub similarity: (u32, u32),
}

impl ProblemSimilarity {
    /// Returns the groups with programs of at least three students, the largest group first.
    pub fn groups(&self) -> Vec<SimilarGroup> {
        let pairs: Vec<(usize, usize)> = self.similar.pairs.iter().map(|pair| (pair.left, pair.right)).collect();
        let mut groups: Vec<SimilarGroup> = components(&pairs).into_iter().map(|pairs| self.group(pairs)).collect();
        let students = |group: &SimilarGroup| self.students_of(group).len();
        groups.retain(|group| students(group) >= 3);
        groups.sort_by_key(|group| (std::cmp::Reverse(students(group)), group.members[0]));
        groups
    }

    /// Returns the students of a group, starting with the students of the first program.
    pub fn students_of(&self, group: &SimilarGroup) -> Vec<&str> {
        group.members.iter().flat_map(|member| self.students(*member)).collect()
    }

    fn group(&self, pairs: Vec<usize>) -> SimilarGroup {
        let mut weights: BTreeMap<usize, u32> = BTreeMap::new();
        let mut similarity = (u32::MAX, 0);
        for pair in pairs.iter().map(|&pair| &self.similar.pairs[pair]) {
            *weights.entry(pair.left).or_default() += pair.similarity;
            *weights.entry(pair.right).or_default() += pair.similarity;
            similarity = (similarity.0.min(pair.similarity), similarity.1.max(pair.similarity));
        }
        let mut members: Vec<usize> = weights.keys().copied().collect();
        // If several programs are equally similar to the others, the first of these programs is chosen.
        if let Some(centre) = (0..members.len()).rev().max_by_key(|&at| weights[&members[at]]) {
            let centre = members.remove(centre);
            members.insert(0, centre);
        }
        SimilarGroup { members, pairs, similarity }
    }
}

/// Returns the connected components of a graph, each as the sorted indices of its edges.
fn components(edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut above: BTreeMap<usize, usize> = BTreeMap::new();
    for &(left, right) in edges {
        let (left, right) = (root(&above, left), root(&above, right));
        if left != right {
            above.insert(left.max(right), left.min(right));
        }
    }
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (edge, (left, _)) in edges.iter().enumerate() {
        found.entry(root(&above, *left)).or_default().push(edge);
    }
    found.into_values().collect()
}

fn root(above: &BTreeMap<usize, usize>, mut vertex: usize) -> usize {
    while let Some(next) = above.get(&vertex) {
        vertex = *next;
    }
    vertex
}

#[cfg(test)]
mod tests {
    use super::super::{ComparedProgram, SimilarPair, SimilarPrograms};
    use super::*;

    #[test]
    fn components_are_found() {
        assert_eq!(components(&[(4, 5), (1, 2), (5, 6), (0, 1), (7, 8)]), [vec![1, 3], vec![0, 2], vec![4]]);
        assert_eq!(components(&[]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn groups_have_a_centre_and_three_students() {
        let programs = (0..7).map(|claim| ComparedProgram { student: format!("s{claim}"), claim }).collect();
        let pair = |left, right, similarity| SimilarPair {
            left,
            right,
            similarity,
            shared: similarity,
            longest: 20,
            across_languages: false,
        };
        let similar = SimilarPrograms {
            pairs: vec![pair(2, 3, 950), pair(0, 1, 900), pair(1, 2, 800), pair(4, 5, 750)],
            above_threshold: 4,
            ..SimilarPrograms::default()
        };
        let mut finding = ProblemSimilarity { programs, similar };
        let groups = finding.groups();
        assert_eq!(groups.len(), 1, "a pair is not a group");
        assert_eq!(groups[0], SimilarGroup { members: vec![2, 0, 1, 3], pairs: vec![0, 1, 2], similarity: (800, 950) });
        finding.similar.identical.insert(4, vec![6]);
        assert_eq!(finding.groups().len(), 2, "three students");
    }
}
