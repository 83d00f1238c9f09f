import type { nodeKinds } from '../../../data/contract/visual/visualContract.ts';
import type { Cpx, Rect } from '../geometry/rect.ts';
import type { PathCommand, Point } from '../geometry/segment.ts';
import type { ColourRole } from '../theme/tokens.ts';
import type { TextStyle } from '../type/measureText.ts';

export type NodeKind = (typeof nodeKinds)[number];

/** What an item draws: a node, an edge between two nodes, or something beside them. */
export type Subject =
  | { readonly of: 'node'; readonly id: string }
  | { readonly of: 'edge'; readonly id: string; readonly from: string; readonly to: string }
  | { readonly of: 'title' | 'lane' | 'axis' | 'legend'; readonly id: string };

export type Paint = {
  readonly fill: ColourRole | null;
  readonly stroke: ColourRole | null;
  readonly strokeWidth: Cpx;
  readonly dash: readonly Cpx[];
};

/** A filled rectangle: a lane, the ground of a label, a bar. */
export type RectItem = { readonly type: 'rect'; readonly box: Rect } & Painted;
/** The outline of a node; its path follows from kind and box. */
export type ShapeItem = { readonly type: 'shape'; readonly kind: NodeKind; readonly box: Rect } & Painted;
/** The centre line of an edge, rendered with round corners and `trim` shorter at its end, where the head is. */
export type LineItem = {
  readonly type: 'line';
  readonly points: readonly Point[];
  readonly trim: Cpx;
} & Painted;
export type PathItem = { readonly type: 'path'; readonly commands: readonly PathCommand[] } & Painted;
/** One line of text at its measured left edge and its baseline (V2). */
export type TextItem = {
  readonly type: 'text';
  readonly text: string;
  readonly x: Cpx;
  readonly baseline: Cpx;
  readonly width: Cpx;
  readonly style: TextStyle;
  readonly colour: ColourRole;
  readonly subject: Subject;
  /** Which of its subject's texts it is a line of, where there may be several. */
  readonly part?: number | undefined;
  /** Whether it is the end of a label that was cut. */
  readonly cut?: boolean | undefined;
};

type Painted = { readonly paint: Paint; readonly subject: Subject };
export type SceneItem = RectItem | ShapeItem | LineItem | PathItem | TextItem;

/** A finished picture in paint order; `scale` is what the outlet multiplies it with, in millionths. */
export type Scene = {
  readonly width: Cpx;
  readonly height: Cpx;
  readonly scale: number;
  readonly items: readonly SceneItem[];
};
