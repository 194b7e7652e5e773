use std::fmt;

/// Something flat.
#[derive(Debug)]
pub struct Shape {
    sides: f64,
}

pub trait Sized2 {
    fn area(&self) -> f64;
}

impl Shape {
    /// Return its size.
    pub fn area(&self) -> f64 {
        self.scale(square(self.sides))
    }

    fn scale(&self, value: f64) -> f64 {
        value
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "square")
    }
}

pub fn square(value: f64) -> f64 {
    value * value
}
