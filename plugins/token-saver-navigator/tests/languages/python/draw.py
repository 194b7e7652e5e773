from area import Shape
from area import square as sq


def draw(shape: Shape) -> list[float]:
    def twice(value):
        return value * 2

    return [twice(shape.area()), *map(sq, [1])]
