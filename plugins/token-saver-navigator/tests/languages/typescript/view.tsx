import { Shape, square } from "./area";
import type { Sized } from "./area";

const Box = (props: { shape: Sized }) => {
  return <p>{square(props.shape.area())}</p>;
};

export function View(shape: Shape) {
  return <Box shape={shape} />;
}
