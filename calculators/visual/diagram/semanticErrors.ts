import type { VisualContract, VisualNode } from '../../../data/contract/visual/visualContract.ts';
import { closingEdges } from './layered/assignRanks.ts';

/** What a contract with the right members still gets wrong: ids, references, and what its family asks for (I4.VIS.8). */
export function semanticErrors(contract: VisualContract): ContractFinding[] {
  return [
    ...duplicates(contract),
    ...references(contract),
    ...selfLoops(contract),
    ...familyErrors(contract),
  ];
}

export const finding = (code: ContractFinding['code'], path: string, message: string): ContractFinding => ({
  code,
  path,
  message,
});

function duplicates({
  nodes,
  edges,
  labels,
  owners,
  groups,
  source_refs,
}: VisualContract): ContractFinding[] {
  const repeated = (lists: Readonly<Record<string, readonly { id?: string | undefined }[]>>) => {
    const all = Object.entries(lists).flatMap(([name, items]) =>
      items.map(({ id }, index) => ({ id, path: `/${name}/${index}/id` })),
    );
    return again(all, ({ id }) => id).map(({ one: { id, path } }) =>
      finding('duplicate_id', path, `The id ${id} is there before.`),
    );
  };
  return [
    // labels may be anchored to either
    ...repeated({ nodes, edges }),
    ...repeated({ labels }),
    ...repeated({ owners }),
    ...repeated({ groups }),
    ...repeated({ source_refs }),
  ];
}

/** What has the key of one before it, with its place; what has none is no repetition. */
function again<T>(all: readonly T[], keyOf: (one: T) => string | undefined) {
  const seen = new Set<string>();
  return all.flatMap((one, at) => {
    const key = keyOf(one);
    const isKnown = key !== undefined && seen.has(key);
    if (key !== undefined) seen.add(key);
    return isKnown ? [{ one, at }] : [];
  });
}

function references({
  nodes,
  edges,
  labels,
  owners,
  groups,
  source_refs,
}: VisualContract): ContractFinding[] {
  const idsOf = (items: readonly { id?: string | undefined }[]) => new Set(items.map(({ id }) => id));
  const known = {
    nodes: idsOf(nodes),
    anchors: idsOf([...nodes, ...edges]),
    owners: idsOf(owners),
    groups: idsOf(groups),
    sources: idsOf(source_refs),
  };
  const check = (set: ReadonlySet<string | undefined>, id: string | undefined, path: string) =>
    id === undefined || set.has(id) ? [] : [finding('unknown_reference', path, `Nothing has the id ${id}.`)];
  return [
    ...nodes.flatMap(({ group, owner, source_refs: sources }, i) => [
      ...check(known.groups, group, `/nodes/${i}/group`),
      ...check(known.owners, owner, `/nodes/${i}/owner`),
      ...sources.flatMap((id, k) => check(known.sources, id, `/nodes/${i}/source_refs/${k}`)),
    ]),
    ...edges.flatMap(({ from, to }, i) => [
      ...check(known.nodes, from, `/edges/${i}/from`),
      ...check(known.nodes, to, `/edges/${i}/to`),
    ]),
    ...labels.flatMap(({ anchor }, i) => check(known.anchors, anchor, `/labels/${i}/anchor`)),
  ];
}

function selfLoops({ diagram_family, edges }: VisualContract): ContractFinding[] {
  if (diagram_family === 'network') return [];
  const message = 'An edge from a node to itself is for diagrams of family network.';
  return edges.flatMap(({ from, to }, i) =>
    from === to ? [finding('self_loop', `/edges/${i}`, message)] : [],
  );
}

function familyErrors(contract: VisualContract): ContractFinding[] {
  const { diagram_family, nodes, edges } = contract;
  switch (diagram_family) {
    case 'matrix':
      return cells(nodes);
    case 'timeline':
      return nodes.flatMap(({ start, end }, i) => {
        if (start === undefined)
          return [finding('start_missing', `/nodes/${i}/start`, 'A timeline needs the start of every node.')];
        if (end === undefined || end >= start) return [];
        const message = `It ends on ${end}, before it starts on ${start}.`;
        return [finding('end_before_start', `/nodes/${i}/end`, message)];
      });
    case 'swimlane':
      return nodes.flatMap(({ owner }, i) =>
        owner === undefined
          ? [finding('owner_missing', `/nodes/${i}/owner`, 'A swimlane needs the owner of every node.')]
          : [],
      );
    case 'hierarchy':
      return [...parents(edges), ...cycles(contract, edges)];
    case 'layered_flow':
      return cycles(
        contract,
        edges.filter(({ kind }) => kind !== 'feedback'),
      );
    default:
      return [];
  }
}

function cells(nodes: readonly VisualNode[]): ContractFinding[] {
  const taken = new Map<string, string>();
  return nodes.flatMap(({ id, row, column }, i) => {
    if (row === undefined || column === undefined) {
      const name = row === undefined ? 'row' : 'column';
      return [finding('cell_missing', `/nodes/${i}/${name}`, 'A matrix needs row and column of every node.')];
    }
    const cell = `${row} ${column}`;
    const other = taken.get(cell);
    taken.set(cell, other ?? id);
    return other === undefined
      ? []
      : [finding('cell_taken', `/nodes/${i}`, `Row ${row}, column ${column} is taken by ${other}.`)];
  });
}

function parents(edges: VisualContract['edges']): ContractFinding[] {
  return again(edges, ({ to }) => to).map(({ one: { to }, at }) =>
    finding('two_parents', `/edges/${at}/to`, `${to} has a parent already; a hierarchy gives each node one.`),
  );
}

function cycles({ edges: all }: VisualContract, edges: VisualContract['edges']): ContractFinding[] {
  const leaving = Map.groupBy(edges, ({ from }) => from);
  const closing = closingEdges(
    leaving.keys(),
    (id) => leaving.get(id),
    ({ to }) => to,
  );
  return [...closing]
    .filter(({ from, to }) => from !== to)
    .map((edge) =>
      finding(
        'cycle',
        `/edges/${all.indexOf(edge)}`,
        `The edge from ${edge.from} to ${edge.to} closes a cycle; in a layered flow make it of kind feedback.`,
      ),
    );
}

/** What is wrong or doubtful in a contract; `path` is a JSON pointer (I4.VIS.10). */
export type ContractFinding = {
  readonly code:
    | 'too_large'
    | 'not_json'
    | 'unknown_member'
    | 'invalid_value'
    | 'out_of_range'
    | 'duplicate_id'
    | 'unknown_reference'
    | 'self_loop'
    | 'cell_missing'
    | 'cell_taken'
    | 'start_missing'
    | 'end_before_start'
    | 'owner_missing'
    | 'two_parents'
    | 'cycle'
    | 'glyph_outside_font'
    | 'rank_not_kept'
    | 'margin_too_wide';
  readonly path: string;
  readonly message: string;
};
