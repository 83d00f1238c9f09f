import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import { cleanText } from '../type/cleanText.ts';
import type { FaceName } from '../type/face.ts';
import { subsetsOf } from '../type/subsetsOf.ts';
import type { ContractFinding } from './contractFinding.ts';

/** What renders, but perhaps not as meant: characters no embedded face has (V12), pins that edges override. */
export function contractWarnings(contract: VisualContract): ContractFinding[] {
  const { viewport_policy: viewport } = contract;
  const isBlocked = 2 * viewport.margin >= Math.min(viewport.width, viewport.height);
  return [
    ...(isBlocked
      ? [
          {
            code: 'margin_too_wide' as const,
            path: '/viewport_policy/margin',
            message: 'The margins leave nothing of the viewport.',
          },
        ]
      : []),
    ...textsOf(contract).flatMap(({ text, path, weight }) =>
      outsideFont(text, { path, face: faceOf(contract, weight) }),
    ),
    ...pins(contract),
  ];
}

const faceOf = ({ render_policy }: VisualContract, weight: 400 | 600): FaceName =>
  `${render_policy.font_family}-${weight}`;

function textsOf({ title, nodes, edges, labels, owners, groups }: VisualContract) {
  const drawn = (items: readonly { text: string | undefined; path: string }[], weight: 400 | 600 = 400) =>
    items.flatMap(({ text, path }) => (text === undefined ? [] : [{ text, path, weight }]));
  return [
    ...drawn([{ text: title, path: '/title' }], 600),
    ...drawn(nodes.map(({ label }, i) => ({ text: label, path: `/nodes/${i}/label` }))),
    ...drawn(edges.map(({ label }, i) => ({ text: label, path: `/edges/${i}/label` }))),
    ...drawn(labels.map(({ text }, i) => ({ text, path: `/labels/${i}/text` }))),
    ...drawn(
      owners.map(({ label }, i) => ({ text: label, path: `/owners/${i}/label` })),
      600,
    ),
    ...drawn(groups.map(({ label }, i) => ({ text: label, path: `/groups/${i}/label` }))),
  ];
}

function outsideFont(text: string, { path, face }: { path: string; face: FaceName }): ContractFinding[] {
  const { outside } = subsetsOf([cleanText(text)], face);
  if (outside.length === 0) return [];
  const named = outside
    .slice(0, 8)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  const more = outside.length > named.length ? ' and others' : '';
  return [
    {
      code: 'glyph_outside_font',
      path,
      message: `The embedded face has no ${named.join(', ')}${more}: the reader's own font is pressed into a box of estimated width.`,
    },
  ];
}

function pins({ diagram_family, nodes, edges }: VisualContract): ContractFinding[] {
  if (diagram_family !== 'layered_flow' && diagram_family !== 'swimlane') return [];
  const ranks = new Map(nodes.map(({ id, rank }) => [id, rank]));
  return edges.flatMap(({ from, to }, i) => {
    const [above, below] = [ranks.get(from), ranks.get(to)];
    return above !== undefined && above === below
      ? [
          {
            code: 'rank_not_kept' as const,
            path: `/edges/${i}`,
            message: `Both ends ask for rank ${above}; ${to} moves below ${from}.`,
          },
        ]
      : [];
  });
}
