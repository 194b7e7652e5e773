<?php
use Flat\Shape;

function draw(Shape $shape): float
{
    echo "square";
    return Shape::square($shape->area());
}

draw(new Shape());
