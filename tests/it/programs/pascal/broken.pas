program Broken;
begin
  nowhere(1);
end.
