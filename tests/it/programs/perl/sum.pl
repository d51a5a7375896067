my ($n, @numbers) = map { split } <STDIN>;
my $sum = 0;
$sum += $_ for @numbers[0 .. $n - 1];
print "$sum\n";
