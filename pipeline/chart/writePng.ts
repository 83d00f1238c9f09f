import { Resvg } from '@resvg/resvg-js';

/** A picture as PNG, `scale` times its size; its texts have to be outlines: no font of the machine is read. */
export function writePng(svg: string, scale: number): Buffer {
  const picture = new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font: { loadSystemFonts: false } });
  return picture.render().asPng();
}
