{ Plain xor. }
program nim;
var
  n, i, a, x: longint;
begin
  read(n);
  x := 0;
  for i := 1 to n do
  begin
    read(a);
    x := x xor a;
  end;
  if x <> 0 then writeln('Yes') else writeln('No');
end.
