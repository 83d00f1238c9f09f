import { compareText } from '../../data/contract/values/compareText.ts';
import type { CalculationArc } from '../filing/xbrlFiling.ts';

type NetworkEdge = {
  readonly parent: string;
  readonly child: string;
  readonly weight: 1 | -1;
  readonly order: number;
};

/**
 * All arcs of one extended link role: a directed acyclic graph, in which a concept may have several parents and
 * which may have several roots (M1.11, M1.14).
 */
export type CalculationNetwork = {
  readonly role: string;
  /** Every concept once, parents before children. */
  readonly concepts: readonly string[];
  /** Concepts without a parent, sorted. */
  readonly roots: readonly string[];
  has(concept: string): boolean;
  /** Sorted by (order, QName); empty for a leaf. */
  childrenOf(concept: string): readonly NetworkEdge[];
  parentsOf(concept: string): readonly NetworkEdge[];
};

/** A role whose arcs cannot be summed, and why (M1.13, M1.18). */
export type RejectedNetwork = {
  readonly role: string;
  readonly reason: 'weight' | 'contradicting_arcs' | 'cycle' | 'depth';
};

/** Statements have some ten levels; a longer chain is not one. */
const deepest = 200;

/** The networks of a filing, by role; arcs with equal meaning count once (M1.13–M1.15, M15.8). */
export function calculationNetworks(arcs: readonly CalculationArc[]): {
  readonly networks: readonly CalculationNetwork[];
  readonly rejected: readonly RejectedNetwork[];
  /** `calculation_arc_count`: distinct arcs over all roles (M1.15). */
  readonly arcCount: number;
} {
  const roles = new Map<string, CalculationArc[]>();
  for (const arc of arcs) {
    const role = roles.get(arc.role);
    if (role === undefined) roles.set(arc.role, [arc]);
    else role.push(arc);
  }
  const read = [...roles].toSorted(([a], [b]) => compareText(a, b)).map(([role, own]) => network(role, own));
  return {
    networks: read.filter((found) => 'roots' in found),
    rejected: read.filter((found) => 'reason' in found),
    arcCount: new Set(arcs.map(({ role, from, to }) => `${role}\n${from}\n${to}`)).size,
  };
}

function network(role: string, arcs: readonly CalculationArc[]): CalculationNetwork | RejectedNetwork {
  if (arcs.some(({ weight }) => !['1', '-1'].includes(weight.toString()))) return { role, reason: 'weight' };
  const edges = new Map<string, NetworkEdge>();
  for (const { from, to, weight, order } of arcs) {
    const edge: NetworkEdge = { parent: from, child: to, weight: weight.sign > 0 ? 1 : -1, order };
    const earlier = edges.get(`${from}\n${to}`);
    if (earlier !== undefined && earlier.weight !== edge.weight) {
      return { role, reason: 'contradicting_arcs' };
    }
    if (earlier === undefined || order < earlier.order) edges.set(`${from}\n${to}`, edge);
  }
  const sorted = [...edges.values()].sort(byOrder);
  const children = Map.groupBy(sorted, (edge) => edge.parent);
  const parents = Map.groupBy(sorted, (edge) => edge.child);
  const names = [...new Set([...children.keys(), ...parents.keys()])].sort(compareText);
  const sequence = parentsFirst(names, children, parents);
  if (sequence.length < names.length) return { role, reason: 'cycle' };
  if (depthOf(sequence, parents) > deepest) return { role, reason: 'depth' };
  return {
    role,
    concepts: sequence,
    roots: names.filter((concept) => !parents.has(concept)),
    has: (concept) => children.has(concept) || parents.has(concept),
    childrenOf: (concept) => children.get(concept) ?? [],
    parentsOf: (concept) => parents.get(concept) ?? [],
  };
}

type Adjacency = ReadonlyMap<string, readonly NetworkEdge[]>;

/** Kahn's order: each arc is visited once, and concepts on or below a directed cycle are excluded. */
function parentsFirst(names: readonly string[], children: Adjacency, parents: Adjacency): string[] {
  const open = new Map(names.map((concept) => [concept, parents.get(concept)?.length ?? 0]));
  const sequence = names.filter((concept) => open.get(concept) === 0);
  for (let i = 0; i < sequence.length; i += 1) {
    for (const { child } of children.get(sequence[i] ?? '') ?? []) {
      const left = (open.get(child) ?? 0) - 1;
      open.set(child, left);
      if (left === 0) sequence.push(child);
    }
  }
  return sequence;
}

function depthOf(sequence: readonly string[], parents: Adjacency): number {
  const depth = new Map<string, number>();
  let most = 0;
  for (const concept of sequence) {
    let own = 0;
    for (const { parent } of parents.get(concept) ?? []) own = Math.max(own, (depth.get(parent) ?? 0) + 1);
    depth.set(concept, own);
    most = Math.max(most, own);
  }
  return most;
}

function byOrder(a: NetworkEdge, b: NetworkEdge): number {
  return a.order - b.order || compareText(a.child, b.child) || compareText(a.parent, b.parent);
}
