package shop;

import flat.Shape;

enum Colour { RED }

record Pair(int a, int b) {}

class Draw {
    double draw() {
        Shape shape = new Shape(2);
        return Shape.square(shape.area());
    }
}
