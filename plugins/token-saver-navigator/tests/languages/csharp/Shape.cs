using System;

namespace Flat
{
    /// <summary>Something flat.</summary>
    public class Shape : ISized
    {
        private double sides;

        public double Sides { get; set; }

        public Shape(double sides) { this.sides = sides; }

        // Return its size.
        public double Area()
        {
            return Square(sides);
        }

        public static double Square(double value) => value * value;
    }

    interface ISized
    {
        double Area();
    }

    enum Colour { Red }
}
