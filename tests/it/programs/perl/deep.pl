no warnings 'recursion';

sub fold {
    my ($n) = @_;
    return $n == 0 ? 0 : (int(fold($n - 1) / 2) + $n) % 1000003;
}

print fold(<STDIN> + 0), "\n";
