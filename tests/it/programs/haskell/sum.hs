import qualified Data.ByteString.Char8 as B
import Data.Maybe (mapMaybe)

main :: IO ()
main = do
  text <- B.getContents
  let numbers = map fst (mapMaybe B.readInt (B.words text))
  case numbers of
    n : rest -> print (sum (take n rest))
    [] -> error "no input"
