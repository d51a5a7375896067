let () = print_int nowhere
