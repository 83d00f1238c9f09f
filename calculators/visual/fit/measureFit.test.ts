import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visualContract } from '../../../data/contract/visual/visualContract.ts';
import { paint } from '../scene/pen.ts';
import type { Scene, SceneItem } from '../scene/scene.ts';
import { measureFit } from './measureFit.ts';

type Box = { x: number; y: number; w: number; h: number };
type Line = { points: { x: number; y: number }[]; from: string; to: string };
const [width, height] = [320, 240];
const policies = visualContract.parse({
  diagram_id: 'fit',
  diagram_family: 'network',
  purpose: 'Policies.',
  nodes: [{ id: 'a', label: 'A' }],
  edges: [],
  viewport_policy: { width, height, margin: 0 },
  accessibility: { title: 'Fit', description: 'Fit.' },
  fit_policy: {},
});

/** A scene of bare boxes and lines in whole px, with one short text so that there is a font to measure. */
function sceneOf(boxes: readonly Box[], lines: readonly Line[] = []): Scene {
  const shapes = boxes.map(
    ({ x, y, w, h }, i): SceneItem => ({
      type: 'shape',
      kind: 'process',
      box: { x: 100 * x, y: 100 * y, w: 100 * w, h: 100 * h },
      paint: paint({ fill: 'panel' }),
      subject: { of: 'node', id: `n${i}` },
    }),
  );
  const drawn = lines.map(
    ({ points, from, to }, i): SceneItem => ({
      type: 'line',
      points: points.map(({ x, y }) => ({ x: 100 * x, y: 100 * y })),
      trim: 0,
      paint: paint({ stroke: 'edge' }),
      subject: { of: 'edge', id: `e${i}`, from, to },
    }),
  );
  const text: SceneItem = {
    type: 'text',
    text: 'x',
    x: 10_000,
    baseline: 10_000,
    width: 600,
    style: { face: 'sans-400', size: 1_300 },
    colour: 'text',
    subject: { of: 'title', id: 'title' },
    part: 0,
    cut: false,
  };
  return { width: 100 * width, height: 100 * height, scale: 1_000_000, items: [...drawn, ...shapes, text] };
}

/** Pixel cells of a box of whole px. */
const cells = ({ x, y, w, h }: Box): Set<string> =>
  new Set(Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`));

type Span = { x: number; y: number; length: number; upright: boolean };
const rectOf = ({ x, y, length, upright }: Span): Box => ({
  x,
  y,
  w: upright ? 0 : length,
  h: upright ? length : 0,
});

/** Distance of two rectangles. */
function euclid(a: Box, b: Box): number {
  const across = Math.max(a.x - b.x - b.w, b.x - a.x - a.w, 0);
  const down = Math.max(a.y - b.y - b.h, b.y - a.y - a.h, 0);
  return Math.hypot(across, down);
}

/** Distance of two parallel spans that face each other and have no end in common; else none. */
function facing(a: Span, b: Span): number {
  if (a.upright !== b.upright) return Infinity;
  const [p, q] = [a, b].map((span) =>
    span.upright ? { at: span.x, from: span.y } : { at: span.y, from: span.x },
  );
  if (p === undefined || q === undefined) return Infinity;
  const shared = Math.min(p.from + a.length, q.from + b.length) - Math.max(p.from, q.from);
  const ends = [p.from, p.from + a.length].some((end) => [q.from, q.from + b.length].includes(end));
  return shared <= 0 || (ends && p.at === q.at) ? Infinity : Math.abs(p.at - q.at);
}

/** Width of the lines of a scene in px. */
function strokeOf({ items }: Scene): number {
  const line = items.find(({ type }) => type === 'line');
  return line?.type === 'line' ? line.paint.strokeWidth / 100 : 0;
}

const whole = (min: number, max: number) => fc.integer({ min, max });
const box = fc.record({ x: whole(-4, 40), y: whole(-4, 30), w: whole(1, 12), h: whole(1, 12) });

describe('a measured scene', () => {
  it('has the overlaps that a raster of its boxes shows (V23)', () => {
    fc.assert(
      fc.property(fc.array(box, { minLength: 2, maxLength: 8, size: 'max' }), (boxes) => {
        const painted = boxes.map(cells);
        let pairs = 0;
        for (const [i, a] of painted.entries())
          for (const b of painted.slice(i + 1)) pairs += Number(!a.isDisjointFrom(b));
        expect(measureFit(sceneOf(boxes), policies).metrics.node_overlaps).toBe(pairs);
      }),
      { numRuns: 150, seed: 21 },
    );
  });

  it('has what leaves the viewport, as a raster of the viewport shows (V28)', () => {
    const near = fc.record({ x: whole(-6, width), y: whole(-6, height), w: whole(1, 9), h: whole(1, 9) });
    fc.assert(
      fc.property(fc.array(near, { minLength: 1, maxLength: 8, size: 'max' }), (boxes) => {
        const leaves = (cell: string) => {
          const [x = 0, y = 0] = cell.split(' ').map(Number);
          return x < 0 || y < 0 || x >= width || y >= height;
        };
        const outside = boxes.filter((one) => [...cells(one)].some(leaves)).length;
        expect(measureFit(sceneOf(boxes), policies).metrics.outside_viewport).toBe(outside);
      }),
      { numRuns: 150, seed: 22 },
    );
  });

  it('has the nodes that a straight edge enters, as a raster of its line shows (V26)', () => {
    fc.assert(
      fc.property(
        fc.array(box, { minLength: 1, maxLength: 6, size: 'max' }),
        whole(-2, 42),
        fc.boolean(),
        (boxes, at, isLevel) => {
          const points = isLevel
            ? [
                { x: -9, y: at },
                { x: 99, y: at },
              ]
            : [
                { x: at, y: -9 },
                { x: at, y: 99 },
              ];
          // a line on the border of two cells enters a box that has both of them
          const entered = boxes.filter((one) => {
            const painted = cells(one);
            return [...painted].some((cell) => {
              const [x = 0, y = 0] = cell.split(' ').map(Number);
              return isLevel
                ? y === at && painted.has(`${x} ${y - 1}`)
                : x === at && painted.has(`${x - 1} ${y}`);
            });
          }).length;
          const scene = sceneOf(boxes, [{ points, from: 'other', to: 'another' }]);
          expect(measureFit(scene, policies).metrics.edges_through_nodes).toBe(entered);
        },
      ),
      { numRuns: 150, seed: 23 },
    );
  });

  it('counts crossings as points, and neither touching nor running together (V25)', () => {
    const line = (x1: number, y1: number, x2: number, y2: number): Line => ({
      points: [
        { x: x1, y: y1 },
        { x: x2, y: y2 },
      ],
      from: 'p',
      to: 'q',
    });
    const crossings = (...lines: Line[]) =>
      measureFit(sceneOf([{ x: 200, y: 200, w: 9, h: 9 }], lines), policies).metrics.edge_crossings;
    expect(crossings(line(0, 0, 10, 10), line(0, 10, 10, 0))).toBe(1);
    expect(crossings(line(0, 0, 10, 0), line(5, 0, 5, 9))).toBe(0);
    expect(crossings(line(0, 0, 10, 0), line(5, 0, 15, 0))).toBe(0);
    const zigzag: Line = {
      points: [0, 4, 8, 12].map((x, i) => ({ x, y: i % 2 === 0 ? -5 : 5 })),
      from: 'p',
      to: 'q',
    };
    expect(crossings(line(-9, 0, 20, 0), zigzag)).toBe(3);
  });

  it('has for each edge the nearest node and the nearest facing edge of all (V27)', () => {
    const line = fc.record({
      x: whole(0, 60),
      y: whole(0, 60),
      length: whole(1, 40),
      upright: fc.boolean(),
    });
    const wide = { ...policies, fit_policy: { ...policies.fit_policy, min_edge_clearance: 50 } };
    fc.assert(
      fc.property(
        fc.array(box, { maxLength: 6 }),
        fc.array(line, { minLength: 2, maxLength: 8 }),
        (boxes, spans) => {
          const lines = spans.map(
            ({ x, y, length, upright }, i): Line => ({
              from: `from${i}`,
              to: `to${i}`,
              points: [{ x, y }, upright ? { x, y: y + length } : { x: x + length, y }],
            }),
          );
          const expected = spans.map((span, i) =>
            Math.min(
              ...boxes.map((other) => euclid(rectOf(span), other)),
              ...spans.map((other, j) => (i === j ? Infinity : facing(span, other))),
            ),
          );
          const { violations } = measureFit(sceneOf(boxes, lines), wide);
          const told = violations.filter(({ code }) => code === 'edge_clearance');
          for (const [i, distance] of expected.entries()) {
            const shown = told.find(({ subject_ids: [id] }) => id === `e${i}`)?.measured;
            const stroke = strokeOf(sceneOf(boxes, lines)) / 2;
            if (distance - stroke >= 50) expect(shown).toBeUndefined();
            else expect(shown).toBeCloseTo(Math.max(0, distance - stroke), 1);
          }
        },
      ),
      { numRuns: 150, seed: 27 },
    );
  });

  it('tells how near an edge comes, less half its stroke (V27)', () => {
    const boxes = [{ x: 100, y: 100, w: 20, h: 20 }];
    const passing: Line = {
      points: [
        { x: 96, y: 50 },
        { x: 96, y: 150 },
      ],
      from: 'p',
      to: 'q',
    };
    const { violations } = measureFit(sceneOf(boxes, [passing]), policies);
    expect(violations).toContainEqual({
      code: 'edge_clearance',
      severity: 'warning',
      subject_ids: ['e0', 'n0'],
      measured: 3.5,
      limit: 6,
      message: 'An edge runs too near to a node or another edge.',
    });
  });

  it('is another report when a node has moved, and the gap of the nearest pair is its least', () => {
    const boxes = [
      { x: 10, y: 10, w: 20, h: 20 },
      { x: 60, y: 10, w: 20, h: 20 },
    ];
    const moved = [
      { x: 10, y: 10, w: 20, h: 20 },
      { x: 44, y: 10, w: 20, h: 20 },
    ];
    expect(measureFit(sceneOf(boxes), policies).metrics.min_gap_px).toBe(30);
    const report = measureFit(sceneOf(moved), policies);
    expect(report.metrics.min_gap_px).toBe(14);
    expect(report.violations.map(({ code, measured, severity }) => [code, measured, severity])).toEqual([
      ['node_gap', 14, 'warning'],
    ]);
    expect(report.verdict).toBe('fit_with_warnings');
    const strict = { ...policies, fit_policy: { ...policies.fit_policy, fail_on: ['node_gap' as const] } };
    expect(measureFit(sceneOf(moved), strict).verdict).toBe('does_not_fit');
  });
});
