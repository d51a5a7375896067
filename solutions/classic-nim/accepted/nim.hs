-- Plain xor.
import Data.Bits (xor)
import qualified Data.ByteString.Char8 as B
import Data.List (foldl')
import Data.Maybe (mapMaybe)

main :: IO ()
main = do
  numbers <- map fst . mapMaybe B.readInt . B.words <$> B.getContents
  putStrLn (if foldl' xor 0 (tail numbers) /= 0 then "Yes" else "No")
