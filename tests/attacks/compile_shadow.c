// Includes the passwords.
// expect A B C: fails
#include "/etc/shadow"
