import type { VisualContract, VisualEdge } from '../../../data/contract/visual/visualContract.ts';
import type { Cpx, Rect } from '../geometry/rect.ts';
import { distance, type Point, towards } from '../geometry/segment.ts';
import { paint, textIn } from '../scene/pen.ts';
import type { Paint, PathItem, SceneItem, Subject } from '../scene/scene.ts';
import { shapeSizes, textArea } from '../scene/shapeGeometry.ts';
import { type ColourRole, colourOf, contrast } from '../theme/tokens.ts';
import type { Route } from './layout.ts';
import { type EdgeLabel, linesHeight, type NodeBox } from './nodeBoxes.ts';
import { lineHeight } from './settings.ts';

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

type Placed = { box: Rect; colours: TextColours; group: number | null; owner: number | null };

/** The shape of a node, the bars of its group and owner, and its lines of text (V15, V16). */
export function drawNode({ node, lines }: NodeBox, { box, colours, group, owner }: Placed): SceneItem[] {
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

const width: Cpx = 300;
const inset: Cpx = 300;
const gap: Cpx = 200;
const series = ['series-a', 'series-b', 'series-c', 'series-d', 'series-e'] as const;

/**
 * A 3 px bar at the edge of a box that names a group or an owner; the number of its parts is the shape beside its
 * colour (V16, V35).
 */
export function keyBar(
  { x, y, w, h }: Rect,
  { side, key, subject }: { side: 'start' | 'end'; key: number; subject: Subject },
): SceneItem[] {
  // of equal colours each has one part more
  const parts = 1 + ((key + Math.floor(key / series.length)) % series.length);
  const [height, top] = [Math.max(parts * 2 * gap, Math.floor((h * 3) / 5)), y + Math.floor(h / 5)];
  const part = Math.floor((height - (parts - 1) * gap) / parts);
  const fill = series[key % series.length] ?? 'series-a';
  return Array.from({ length: parts }, (_, i) => ({
    type: 'rect' as const,
    box: {
      x: side === 'start' ? x + inset : x + w - inset - width,
      y: top + i * (part + gap),
      w: width,
      h: part,
    },
    paint: paint({ fill }),
    subject,
  }));
}

/** The roles that text is written in. */
export type TextColours = { readonly text: ColourRole; readonly quiet: ColourRole };

const grounds = ['ground', 'lane', 'panel', 'primary', 'warning', 'critical'] as const;
const roles = ['quiet', 'text', 'text-strongest'] as const;

/** The theme's text roles, or stronger ones where they fall short of `min_contrast` on any ground (V30). */
export function textColours({ render_policy, accessibility }: VisualContract): TextColours {
  const worst = (role: ColourRole): number =>
    Math.min(
      ...grounds.map((ground) =>
        contrast(colourOf(role, render_policy.theme), colourOf(ground, render_policy.theme)),
      ),
    );
  const strongEnough = roles.filter((role) => worst(role) >= accessibility.min_contrast);
  return {
    text: strongEnough.find((role) => role !== 'quiet') ?? 'text-strongest',
    quiet: strongEnough[0] ?? 'text-strongest',
  };
}

const stroke: Cpx = 125;
const headLength: Cpx = 750;
const headHalf: Cpx = 350;
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
      trim: isOpen ? stroke : headLength,
      paint: paint({ stroke: 'edge', strokeWidth: stroke, dash }),
      subject,
    },
    head({ tip, before, isOpen, subject }),
  ];
}

function head({ tip, before, isOpen, subject }: Head): PathItem {
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

type Head = { tip: Point; before: Point; isOpen: boolean; subject: Subject };

/** The lines of an edge's label on a box in the colour of the ground (V20). */
export function drawEdgeLabel(
  label: NonNullable<EdgeLabel>,
  { box, subject, colour }: { box: NonNullable<Route['label']>; subject: Subject; colour: ColourRole },
): SceneItem[] {
  const inner = { ...box, y: box.y + 100 };
  return [
    { type: 'rect', box, paint: paint({ fill: 'ground' }), subject },
    ...label.lines.map(({ text, style, part }, line) => {
      const height = lineHeight(style);
      return textIn(
        { ...inner, y: inner.y + line * height, h: height },
        { text, style, colour, subject, part, align: 'middle' },
      );
    }),
  ];
}
