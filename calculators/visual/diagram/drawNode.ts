import type { Rect } from '../geometry/rect.ts';
import { paint, textIn } from '../scene/pen.ts';
import type { Paint, SceneItem, Subject } from '../scene/scene.ts';
import { shapeSizes, textArea } from '../scene/shapeGeometry.ts';
import { keyBar } from './keyBar.ts';
import { linesHeight, type NodeBox } from './nodeBoxes.ts';
import { lineHeight } from './settings.ts';
import type { TextColours } from './textColours.ts';

/** Fill, line colour and line weight of an emphasis together (V16). */
export function nodePaint(emphasis: NodeBox['node']['emphasis']): Paint {
  switch (emphasis) {
    case 'none':
      return paint({ fill: 'panel', stroke: 'node-line', strokeWidth: 125 });
    case 'critical':
      return paint({ fill: 'critical', stroke: 'critical-line', strokeWidth: 225 });
    default:
      return paint({ fill: emphasis, stroke: `${emphasis}-line`, strokeWidth: 175 });
  }
}

/** The shape of a node, the bars of its group and owner, and its lines of text (V15, V16). */
export function drawNode(
  { node, lines }: NodeBox,
  {
    box,
    colours,
    group,
    owner,
  }: {
    box: Rect;
    colours: TextColours;
    group: number | null;
    owner: number | null;
  },
): SceneItem[] {
  const subject: Subject = { of: 'node', id: node.id };
  const area = textArea(node.kind, box);
  // the fold of a document is at its end corner
  const below = node.kind === 'document' ? shapeSizes.fold : 0;
  const endArea = { ...area, y: area.y + below, h: area.h - below };
  let y = area.y + Math.floor((area.h - linesHeight(lines)) / 2);
  const texts = lines.map(({ text, style, part, cut }) => {
    const height = lineHeight(style);
    const colour = part === 0 ? colours.text : colours.quiet;
    const item = textIn(
      { ...area, y, h: height },
      { text, style, colour, subject, part, cut, align: 'middle' },
    );
    y += height;
    return item;
  });
  return [
    { type: 'shape', kind: node.kind, box, paint: nodePaint(node.emphasis), subject },
    ...(group === null ? [] : keyBar(area, { side: 'start', key: group, subject })),
    ...(owner === null ? [] : keyBar(endArea, { side: 'end', key: owner, subject })),
    ...texts,
  ];
}
