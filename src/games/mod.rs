//! Combinatorial game theory: rules, positions, Grundy values, misère play, many players. Depends on nothing.
