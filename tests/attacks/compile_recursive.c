// Includes itself twice.
// expect A B: fails|output|cpu
#include __FILE__
#include __FILE__
