import { pow } from "./maths.js";

/** Something flat. */
export class Shape {
  // Return its size.
  area() {
    return this.scale(square(this.sides));
  }
  scale(value) {
    return value;
  }
}

/**
 * The square of a value.
 */
export function square(value) {
  return pow(value, 2);
}

export const cube = (value) => {
  return value * square(value);
};

export default Shape;
