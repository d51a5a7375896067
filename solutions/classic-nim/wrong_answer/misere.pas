{ Mistake: the rule of misere Nim. It differs from the normal one where no heap holds two stones or more. }
program misere;
var
  n, i, a, x, big, ones: longint;
begin
  read(n);
  x := 0; big := 0; ones := 0;
  for i := 1 to n do
  begin
    read(a);
    x := x xor a;
    if a > 1 then inc(big);
    if a = 1 then inc(ones);
  end;
  if ((big > 0) and (x <> 0)) or ((big = 0) and (ones mod 2 = 0)) then writeln('Yes') else writeln('No');
end.
