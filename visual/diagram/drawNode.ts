import type { Cpx } from '../geometry/cpx.ts';
import type { Rect } from '../geometry/rect.ts';
import { paint, textIn } from '../scene/pen.ts';
import type { Paint, SceneItem, Subject } from '../scene/scene.ts';
import { textArea } from '../scene/shapeGeometry.ts';
import { keyBar } from './keyBar.ts';
import { linesHeight, type NodeBox } from './nodeBoxes.ts';
import { lineHeight } from './settings.ts';
import type { TextColours } from './textColours.ts';

const stripHeight: Cpx = 300;

/** Stretch of a timeline that a node takes. */
type Lasting = { readonly from: Cpx; readonly to: Cpx };

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
    lasts,
    group,
    owner,
  }: {
    box: Rect;
    colours: TextColours;
    lasts: Lasting | null;
    group: number | null;
    owner: number | null;
  },
): SceneItem[] {
  const subject: Subject = { of: 'node', id: node.id };
  const area = textArea(node.kind, box);
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
    ...(owner === null ? [] : keyBar(area, { side: 'end', key: owner, subject })),
    ...(lasts === null ? [] : durationStrip(box, { lasts, fill: nodePaint(node.emphasis).stroke, subject })),
    ...texts,
  ];
}

/** Below a bar that its label makes wider than it lasts: from its first day to its last. */
function durationStrip(
  { x, y, w, h }: Rect,
  { lasts: { from, to }, fill, subject }: { lasts: Lasting; fill: Paint['fill']; subject: Subject },
): SceneItem[] {
  if (to - from >= w) return [];
  const box = { x, y: y + h + stripHeight, w: Math.max(stripHeight, to - from), h: stripHeight };
  return [{ type: 'rect', box, radius: 0, paint: paint({ fill }), subject }];
}
