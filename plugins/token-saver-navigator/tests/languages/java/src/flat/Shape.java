package flat;

import java.util.List;

/** Something flat. */
public class Shape implements Sized {
    private double sides;

    public Shape(double sides) {
        this.sides = sides;
    }

    /**
     * Return its size.
     */
    @Override
    public double area() {
        return square(sides);
    }

    static double square(double value) {
        return value * value; // square
    }
}
