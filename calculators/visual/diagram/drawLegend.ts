import {
  edgeKinds,
  emphases,
  nodeKinds,
  type VisualContract,
} from '../../../data/contract/visual/visualContract.ts';
import type { Cpx, Rect } from '../geometry/rect.ts';
import { textIn } from '../scene/pen.ts';
import type { SceneItem, Subject } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { cleanText, measureText } from '../type/measureText.ts';
import { drawEdge } from './drawEdge.ts';
import { keyBar, nodePaint } from './drawNode.ts';
import { lineHeight, type Settings } from './settings.ts';

type Entry = { readonly text: string; draw(sample: Rect, subject: Subject): SceneItem[] };

const sample = { w: 3_200, h: 1_600 } as const;
const textGap: Cpx = 800;
const entryGap: Cpx = 2_400;

/** Rows of samples with their names, no wider than the picture; nothing where there is nothing to tell apart. */
export function drawLegend(
  contract: VisualContract,
  {
    settings,
    colour,
    at,
    width,
  }: { settings: Settings; colour: ColourRole; at: { x: Cpx; y: Cpx }; width: Cpx },
): { items: SceneItem[]; height: Cpx; width: Cpx } {
  const rowHeight = Math.max(sample.h, lineHeight(settings.quiet)) + 600;
  const items: SceneItem[] = [];
  let [x, y] = [at.x, at.y];
  let right = at.x;
  for (const [index, { text, draw }] of entriesOf(contract).entries()) {
    const subject: Subject = { of: 'legend', id: String(index) };
    const taken = sample.w + textGap + measureText(text, settings.quiet);
    if (x > at.x && x + taken > at.x + width) [x, y] = [at.x, y + rowHeight];
    const box = { x, y: y + Math.floor((rowHeight - sample.h) / 2), ...sample };
    const words = { x: x + sample.w + textGap, y, w: taken, h: rowHeight };
    items.push(
      ...draw(box, subject),
      textIn(words, { text, style: settings.quiet, colour, subject, align: 'start' }),
    );
    right = Math.max(right, x + taken);
    x += taken + entryGap;
  }
  return { items, height: items.length === 0 ? 0 : y + rowHeight - at.y, width: right - at.x };
}

function entriesOf({ nodes, edges, groups, owners, diagram_family }: VisualContract): Entry[] {
  const usedNodes = nodeKinds.filter((kind) => nodes.some((node) => node.kind === kind));
  const usedEdges = edgeKinds.filter((kind) => edges.some((edge) => edge.kind === kind));
  const usedEmphases = emphases.filter(
    (one) => one !== 'none' && nodes.some(({ emphasis }) => emphasis === one),
  );
  const kinds = usedNodes.map(
    (kind): Entry => ({
      text: kind,
      draw: (box, subject) => [{ type: 'shape', kind, box, paint: nodePaint('none'), subject }],
    }),
  );
  const lines = usedEdges.map(
    (kind): Entry => ({
      text: kind,
      draw: ({ x, y, w, h }, subject) => {
        const middle = y + Math.floor(h / 2);
        return drawEdge(
          { kind },
          {
            points: [
              { x, y: middle },
              { x: x + w, y: middle },
            ],
            subject,
          },
        );
      },
    }),
  );
  const marks = usedEmphases.map(
    (emphasis): Entry => ({
      text: emphasis,
      draw: (box, subject) => [{ type: 'shape', kind: 'process', box, paint: nodePaint(emphasis), subject }],
    }),
  );
  const keyed = (
    named: VisualContract['groups'],
    side: 'start' | 'end',
    used: ReadonlySet<unknown>,
  ): Entry[] =>
    named.flatMap(({ id, label }, key) =>
      used.has(id)
        ? [
            {
              text: cleanText(label),
              draw: (box: Rect, subject: Subject) => keyBar(box, { side, key, subject }),
            },
          ]
        : [],
    );
  return [
    ...(kinds.length > 1 ? kinds : []),
    ...(lines.length > 1 ? lines : []),
    ...marks,
    ...keyed(groups, 'start', new Set(nodes.map(({ group }) => group))),
    ...(diagram_family === 'swimlane' ? [] : keyed(owners, 'end', new Set(nodes.map(({ owner }) => owner)))),
  ];
}
