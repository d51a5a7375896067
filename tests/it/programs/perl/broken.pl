my $x = = 1;
