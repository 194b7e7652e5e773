<?php
namespace Flat;

/** Something flat. */
class Shape implements Sized
{
    const LIMIT = 3;
    private $sides = 2;

    // Return its size.
    public function area(): float
    {
        return $this->scale(self::square($this->sides));
    }

    private function scale(float $value): float
    {
        return $value;
    }

    public static function square(float $value): float
    {
        return $value * $value; // square
    }
}

interface Sized
{
    public function area(): float;
}
