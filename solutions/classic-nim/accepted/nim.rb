# Plain xor.
gets
puts gets.split.map(&:to_i).reduce(:^).zero? ? 'No' : 'Yes'
