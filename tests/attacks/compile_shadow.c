// Includes the password file.
// expect A B C: fails
#include "/etc/shadow"
