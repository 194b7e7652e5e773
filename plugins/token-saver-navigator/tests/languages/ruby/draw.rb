require_relative "area"

def draw
  shape = Flat::Shape.new(2)
  puts "square"
  Flat.square(shape.area)
end
