import type { VisualEdge } from '../../../data/contract/visual/visualContract.ts';
import type { Cpx } from '../geometry/rect.ts';
import { distance, type Point, towards } from '../geometry/segment.ts';
import { paint, textIn } from '../scene/pen.ts';
import type { PathItem, SceneItem, Subject } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import type { Route } from './layout.ts';
import type { EdgeLabel } from './nodeBoxes.ts';
import { lineHeight } from './settings.ts';

const stroke: Cpx = 125;
const headLength: Cpx = 750;
const headHalf: Cpx = 350;
const radius: Cpx = 800;
const dashes = [500, 350];

/** The line of an edge and its head: kinds differ in dash and in filled or open head (V16). */
export function drawEdge(
  { kind }: Pick<VisualEdge, 'kind'>,
  { points, subject }: { points: readonly Point[]; subject: Subject },
): SceneItem[] {
  const [tip, before] = [points.at(-1), points.at(-2)];
  if (tip === undefined || before === undefined) return [];
  const isOpen = kind === 'dependency' || kind === 'reference';
  const dash = kind === 'reference' || kind === 'feedback' ? dashes : [];
  return [
    {
      type: 'line',
      points,
      radius,
      trim: isOpen ? stroke : headLength,
      paint: paint({ stroke: 'edge', strokeWidth: stroke, dash }),
      subject,
    },
    head({ tip, before, isOpen, subject }),
  ];
}

function head({
  tip,
  before,
  isOpen,
  subject,
}: {
  tip: Point;
  before: Point;
  isOpen: boolean;
  subject: Subject;
}): PathItem {
  const whole = distance(tip, before);
  const base = towards(tip, before, headLength, whole);
  // square to the direction of the line
  const [dx, dy] = whole === 0 ? [0, 0] : [(tip.x - before.x) / whole, (tip.y - before.y) / whole];
  const [ox, oy] = [Math.round(-dy * headHalf), Math.round(dx * headHalf)];
  const left = { x: base.x + ox, y: base.y + oy };
  const right = { x: base.x - ox, y: base.y - oy };
  return {
    type: 'path',
    commands: [
      { to: 'move', ...left },
      { to: 'line', ...tip },
      { to: 'line', ...right },
      ...(isOpen ? [] : [{ to: 'close' } as const]),
    ],
    paint: isOpen ? paint({ stroke: 'edge', strokeWidth: stroke }) : paint({ fill: 'edge' }),
    subject,
  };
}

/** The lines of an edge's label on a box in the colour of the ground (V20). */
export function drawEdgeLabel(
  label: NonNullable<EdgeLabel>,
  { box, subject, colour }: { box: NonNullable<Route['label']>; subject: Subject; colour: ColourRole },
): SceneItem[] {
  const inner = { ...box, y: box.y + 100 };
  return [
    { type: 'rect', box, radius: 0, paint: paint({ fill: 'ground' }), subject },
    ...label.lines.map(({ text, style, part }, line) => {
      const height = lineHeight(style);
      return textIn(
        { ...inner, y: inner.y + line * height, h: height },
        { text, style, colour, subject, part, align: 'middle' },
      );
    }),
  ];
}
