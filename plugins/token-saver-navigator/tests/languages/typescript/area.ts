export interface Sized {
  area(): number;
}

/** Something flat. */
export abstract class Shape implements Sized {
  constructor(private sides: number) {}

  area(): number {
    return square(this.sides);
  }
}

export type Many = Shape[];

export enum Colour {
  Red,
}

export function square(value: number): number {
  return value * value;
}
