// Embeds the password file into the program.
// expect A B C: fails
__asm__(".incbin \"/etc/shadow\"");
int main(void) { return 0; }
