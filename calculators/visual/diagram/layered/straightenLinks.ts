import type { Cpx } from '../../geometry/rect.ts';
import type { Steps } from '../layout.ts';
import { type LayeredInput, type Link, spacingPairs, type Vertex } from './layeredGraph.ts';

type Room = { readonly low: Cpx; readonly high: Cpx };

/** What a bend costs in length; a shift that straightens may lengthen other edges by less. */
const bendCost: Cpx = 4_000;
const rounds = 6;
const budget = 1_000_000;

/**
 * Shifts groups of vertices that straight links hold together, where a link becomes straight and all links together
 * become shorter; every least distance, lane and the width are kept.
 */
export function straightenLinks(
  layers: readonly (readonly Vertex[])[],
  {
    borders,
    spacing,
    steps,
  }: { borders: readonly Cpx[]; spacing: Pick<LayeredInput, 'gaps' | 'laneInset'>; steps: Steps },
): void {
  const vertices = layers.flat();
  const end = steps.taken + budget;
  const rooms = roomsOf(vertices, { borders, inset: spacing.laneInset });
  const [before, after] = [new Map<Vertex, [Vertex, Cpx][]>(), new Map<Vertex, [Vertex, Cpx][]>()];
  for (const { left, right, least } of spacingPairs(layers, spacing.gaps)) {
    after.set(left, [...(after.get(left) ?? []), [right, least]]);
    before.set(right, [...(before.get(right) ?? []), [left, least]]);
  }
  const links = vertices.flatMap(({ outgoing }) => outgoing);
  const fits = (group: ReadonlySet<Vertex>, by: Cpx): boolean => {
    for (const vertex of group) {
      steps.taken++;
      const room = rooms.get(vertex);
      if (room !== undefined && (vertex.x + by < room.low || vertex.x + by > room.high)) return false;
      for (const [other, least] of (by > 0 ? after : before).get(vertex) ?? [])
        if (!group.has(other) && Math.abs(other.x - vertex.x) - Math.abs(by) < least) return false;
    }
    return true;
  };
  for (let round = 0, improved = true; improved && round < rounds; round++) {
    improved = false;
    for (const link of links) {
      const by = offsetOf(link);
      if (by === 0) continue;
      if (steps.taken > end) return;
      // the lower end moves up to the upper one, or the other way round
      for (const [from, shift] of [
        [link.lower, -by],
        [link.upper, by],
      ] as const) {
        const group = straightGroup(from, steps);
        if (gainOf(group, shift) <= 0 || !fits(group, shift)) continue;
        for (const vertex of group) vertex.x += shift;
        improved = true;
        break;
      }
    }
  }
}

/** How far the lower port lies to the right of the upper one. */
const offsetOf = ({ upper, lower, upperPort, lowerPort }: Link): Cpx =>
  lower.x + lowerPort - upper.x - upperPort;

const costOf = (offset: Cpx): Cpx => (offset === 0 ? 0 : bendCost + Math.abs(offset));

function straightGroup(start: Vertex, steps: Steps): Set<Vertex> {
  const group = new Set([start]);
  // a set's iteration meets what is added to it
  for (const { incoming, outgoing } of group) {
    steps.taken++;
    for (const link of incoming) if (offsetOf(link) === 0) group.add(link.upper);
    for (const link of outgoing) if (offsetOf(link) === 0) group.add(link.lower);
  }
  return group;
}

function gainOf(group: ReadonlySet<Vertex>, by: Cpx): Cpx {
  let gain = 0;
  for (const { incoming, outgoing } of group) {
    for (const link of incoming)
      if (!group.has(link.upper)) gain += costOf(offsetOf(link)) - costOf(offsetOf(link) + by);
    for (const link of outgoing)
      if (!group.has(link.lower)) gain += costOf(offsetOf(link)) - costOf(offsetOf(link) - by);
  }
  return gain;
}

/** Where the centre of each vertex may lie: in its lane, or in the present width. */
function roomsOf(
  vertices: readonly Vertex[],
  { borders, inset }: { borders: readonly Cpx[]; inset: Cpx },
): Map<Vertex, Room> {
  const left = Math.min(...vertices.map(({ x, w }) => x - Math.ceil(w / 2)));
  const right = Math.max(...vertices.map(({ x, w }) => x + Math.ceil(w / 2)));
  return new Map(
    vertices.map((vertex) => {
      const half = Math.ceil(vertex.w / 2);
      const [from, to] = [borders[vertex.lane], borders[vertex.lane + 1]];
      if (from === undefined || to === undefined) return [vertex, { low: left + half, high: right - half }];
      return [vertex, { low: from + inset + half, high: to - inset - half }];
    }),
  );
}
