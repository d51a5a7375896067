fold :: Int -> Int
fold 0 = 0
fold n = (fold (n - 1) `div` 2 + n) `mod` 1000003

main :: IO ()
main = readLn >>= print . fold
