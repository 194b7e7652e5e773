import Shape, { cube } from "./area";
import * as area from "./area";
import fs from "fs";

function draw(shape) {
  fs.square();
  return [1].map(cube).concat(area.square(2), new Shape());
}
