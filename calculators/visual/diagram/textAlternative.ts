import type { VisualContract, VisualNode } from '../../../data/contract/visual/visualContract.ts';
import { cleanText } from '../type/cleanText.ts';
import type { Layout } from './layout.ts';

/** Title, description, a line a node in reading order, then the notes; plain text (V21). */
export function textAlternative(contract: VisualContract, { boxes }: Layout): string {
  const { accessibility, nodes, edges, labels, owners, viewport_policy } = contract;
  const labelOf = new Map(nodes.map(({ id, label }) => [id, cleanText(label)]));
  const ownerOf = new Map(owners.map(({ id, label }) => [id, cleanText(label)]));
  const runsRight = viewport_policy.orientation === 'horizontal' || contract.diagram_family === 'timeline';
  const centres = boxes.map(({ x, y, w, h }) => {
    const [across, down] = [2 * x + w, 2 * y + h];
    return runsRight ? { rank: across, place: down } : { rank: down, place: across };
  });
  const order = [...nodes.keys()].sort((a, b) => {
    const [p, q] = [centres[a] ?? { rank: 0, place: 0 }, centres[b] ?? { rank: 0, place: 0 }];
    return p.rank - q.rank || p.place - q.place || a - b;
  });
  const line = ({ id, kind, owner }: VisualNode): string => {
    const about = [kind, ...(owner === undefined ? [] : [ownerOf.get(owner) ?? owner])].join(', ');
    const targets = edges
      .filter(({ from }) => from === id)
      .map(({ to, label = '' }) => {
        const words = cleanText(label);
        return `→ ${labelOf.get(to) ?? to}${words === '' ? '' : ` [${words}]`}`;
      });
    const leading = targets.length === 0 ? '' : `: ${targets.join('; ')}`;
    return `${labelOf.get(id) ?? id} (${about})${leading}`;
  };
  return [
    cleanText(accessibility.title),
    cleanText(accessibility.description),
    '',
    ...order.flatMap((index) => {
      const node = nodes[index];
      return node === undefined ? [] : [line(node)];
    }),
    ...(labels.length === 0 ? [] : ['', 'Notes:']),
    ...labels.map(({ text, anchor }) => `${labelOf.get(anchor) ?? anchor}: ${cleanText(text)}`),
    '',
  ].join('\n');
}
