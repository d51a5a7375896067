main :: IO ()
main = print nowhere
