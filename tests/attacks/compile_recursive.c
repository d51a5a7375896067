// Includes itself twice.
// expect A B: fails|output
#include __FILE__
#include __FILE__
