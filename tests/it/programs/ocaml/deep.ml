let rec fold n = if n = 0 then 0 else ((fold (n - 1) / 2) + n) mod 1000003
let () = Printf.printf "%d\n" (fold (read_int ()))
