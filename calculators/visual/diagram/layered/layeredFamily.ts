import { cleanText } from '../../type/cleanText.ts';
import { measureText } from '../../type/measureText.ts';
import type { Layout, Size } from '../layout.ts';
import type { PlaceInput } from '../placeInput.ts';
import { lineHeight } from '../settings.ts';
import { transposed } from '../transposed.ts';
import { layered } from './layered.ts';

const laneInset = 1_600;

/** A layered flow, or one in lanes of owners; `horizontal` swaps the axes before and after (V17). */
export function layeredFamily({ contract, nodes, labels, settings, steps }: PlaceInput): Layout {
  const isLevel = contract.viewport_policy.orientation === 'horizontal';
  const isLanes = contract.diagram_family === 'swimlane';
  const turned = ({ w, h }: Size): Size => (isLevel ? { w: h, h: w } : { w, h });
  const laneOf = new Map(contract.owners.map(({ id }, lane) => [id, lane]));
  const indexOf = new Map(contract.nodes.map(({ id }, index) => [id, index]));
  const heads = contract.owners.map(({ label }) => measureText(cleanText(label), settings.heading));
  const head = lineHeight(settings.heading);
  const layout = layered(
    {
      nodes: nodes.map((box) => ({
        ...turned(box),
        rank: box.node.rank ?? null,
        lane: isLanes ? (laneOf.get(box.node.owner ?? '') ?? 0) : 0,
        portInset: box.portInset,
      })),
      edges: contract.edges.map(({ from, to, kind }, index) => {
        const label = labels[index] ?? null;
        return {
          from: indexOf.get(from) ?? 0,
          to: indexOf.get(to) ?? 0,
          kind,
          label: label === null ? null : turned(label),
        };
      }),
      gaps: settings.gaps,
      // the name of a level lane stands in its upper corner, above what it holds
      lanes: isLanes ? heads.map((width) => (isLevel ? 2 * head : width + 2 * laneInset)) : [],
      laneInset: isLevel ? head + 1_000 : laneInset,
    },
    steps,
  );
  return isLevel ? transposed(layout) : layout;
}
