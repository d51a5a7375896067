program Deep;

function Fold(n: int64): int64;
begin
  if n = 0 then
    Fold := 0
  else
    Fold := (Fold(n - 1) div 2 + n) mod 1000003;
end;

var
  n: int64;
begin
  read(n);
  writeln(Fold(n));
end.
