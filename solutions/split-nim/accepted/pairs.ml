(* Table from below; the nim-sums reached so far are kept from one size to the next. *)
let () =
  let g = Array.make 101 0 in
  let seen = Array.make 512 false in
  for a = 1 to 100 do
    for b = 0 to a - 1 do
      seen.(g.(a - 1) lxor g.(b)) <- true
    done;
    let m = ref 0 in
    while seen.(!m) do incr m done;
    g.(a) <- !m
  done;
  let n = Scanf.scanf " %d" (fun v -> v) in
  let x = ref 0 in
  for _ = 1 to n do
    x := !x lxor g.(Scanf.scanf " %d" (fun v -> v))
  done;
  print_string (if !x <> 0 then "Yes" else "No")
