using System;

namespace Flat
{
    class Draw
    {
        double Run()
        {
            var shape = new Shape(2);
            Console.WriteLine("Square");
            return Shape.Square(shape.Area());
        }
    }
}
