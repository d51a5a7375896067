program Crash;
begin
  halt(3);
end.
