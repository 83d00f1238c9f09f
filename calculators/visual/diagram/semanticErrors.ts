import type { VisualContract, VisualNode } from '../../../data/contract/visual/visualContract.ts';

type Code = ContractFinding['code'];

/** What a contract with the right members still gets wrong: ids, references, and what its family asks for (I4.VIS.8). */
export function semanticErrors(contract: VisualContract): ContractFinding[] {
  return [
    ...duplicates(contract),
    ...references(contract),
    ...selfLoops(contract),
    ...familyErrors(contract),
  ];
}

const finding = (code: Code, path: string, message: string): ContractFinding => ({ code, path, message });

function duplicates({
  nodes,
  edges,
  labels,
  owners,
  groups,
  source_refs,
}: VisualContract): ContractFinding[] {
  const repeated = (lists: readonly { name: string; items: readonly { id?: string | undefined }[] }[]) => {
    const seen = new Set<string>();
    return lists.flatMap(({ name, items }) =>
      items.flatMap(({ id }, index) => {
        if (id === undefined) return [];
        if (!seen.has(id)) {
          seen.add(id);
          return [];
        }
        return [finding('duplicate_id', `/${name}/${index}/id`, `The id ${id} is there before.`)];
      }),
    );
  };
  return [
    // labels may be anchored to either
    ...repeated([
      { name: 'nodes', items: nodes },
      { name: 'edges', items: edges },
    ]),
    ...repeated([{ name: 'labels', items: labels }]),
    ...repeated([{ name: 'owners', items: owners }]),
    ...repeated([{ name: 'groups', items: groups }]),
    ...repeated([{ name: 'source_refs', items: source_refs }]),
  ];
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
  return edges.flatMap(({ from, to }, i) =>
    from === to
      ? [
          finding(
            'self_loop',
            `/edges/${i}`,
            'An edge from a node to itself is for diagrams of family network.',
          ),
        ]
      : [],
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
        return end !== undefined && end < start
          ? [
              finding(
                'end_before_start',
                `/nodes/${i}/end`,
                `It ends on ${end}, before it starts on ${start}.`,
              ),
            ]
          : [];
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
  const seen = new Set<string>();
  return edges.flatMap(({ to }, i) => {
    if (!seen.has(to)) {
      seen.add(to);
      return [];
    }
    return [
      finding(
        'two_parents',
        `/edges/${i}/to`,
        `${to} has a parent already; a hierarchy gives each node one.`,
      ),
    ];
  });
}

function cycles({ edges: all }: VisualContract, edges: VisualContract['edges']): ContractFinding[] {
  const leaving = Map.groupBy(edges, ({ from }) => from);
  const state = new Map<string, 'open' | 'done'>();
  const closing: VisualContract['edges'] = [];
  for (const start of leaving.keys()) {
    if (state.has(start)) continue;
    state.set(start, 'open');
    const path = [{ id: start, next: 0 }];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const edge = leaving.get(visit.id)?.[visit.next++];
      if (edge === undefined) {
        state.set(visit.id, 'done');
        path.pop();
      } else if (state.get(edge.to) === 'open') {
        if (edge.from !== edge.to) closing.push(edge);
      } else if (!state.has(edge.to)) {
        state.set(edge.to, 'open');
        path.push({ id: edge.to, next: 0 });
      }
    }
  }
  return closing.map((edge) =>
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
