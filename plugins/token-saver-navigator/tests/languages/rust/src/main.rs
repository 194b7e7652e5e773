mod area;
use crate::area::{square, Shape};

const LIMIT: f64 = 2.0;

fn main() {
    let shape = Shape { sides: LIMIT };
    println!("{}", square(shape.area()));
    [1.0].iter().map(area::square);
}
