import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitReport } from '../../../data/contract/visual/fitReport.ts';
import { diagramFamilies } from '../../../data/contract/visual/visualContract.ts';
import { contractArbitrary } from '../../../fixtures/visual/contractArbitrary.ts';
import { pipelineContract } from '../../../fixtures/visual/pipelineContract.ts';
import type { Scene } from '../scene/scene.ts';
import { itemBox } from '../scene/textBox.ts';
import { checkContract } from './checkContract.ts';
import { renderDiagram } from './renderDiagram.ts';

const checked = (input: unknown) => {
  const { contract, errors } = checkContract(input);
  expect(errors).toEqual([]);
  if (contract === null) throw new Error('the contract has errors');
  return contract;
};
const codesOf = (input: unknown): string[] => [
  ...new Set(renderDiagram(checked(input)).fitReport.violations.map(({ code }) => code)),
];
/** Items that a picture cuts: a half pixel of a line's breadth may reach over. */
const outsidePicture = ({ width, height, items }: Scene) =>
  items.flatMap((item) => {
    const { x, y, w, h } = itemBox(item);
    const isInside = x >= -100 && y >= -100 && x + w <= width + 100 && y + h <= height + 100;
    return isInside ? [] : [item.subject];
  });

describe('a rendered diagram', () => {
  it.each(diagramFamilies)(
    'of family %s keeps nodes apart, twice the same bytes, under its steps',
    (family) => {
      fc.assert(
        fc.property(contractArbitrary(family, { nodes: 14, edges: 24 }), (input) => {
          const contract = checked(input);
          const rendered = renderDiagram(contract);
          const { fitReport: report } = rendered;
          expect(fitReport.parse(report)).toEqual(report);
          expect(report.metrics.node_overlaps).toBe(0);
          expect(report.metrics.min_gap_px).toBeGreaterThanOrEqual(contract.fit_policy.min_node_gap);
          expect(report.metrics.node_count).toBe(contract.nodes.length);
          expect(report.metrics.edge_count).toBe(contract.edges.length);
          expect(report.metrics.min_contrast).toBeGreaterThanOrEqual(4.5);
          expect(rendered.steps).toBeLessThan(40_000_000);
          expect(renderDiagram(structuredClone(contract)).svg).toBe(rendered.svg);
          expect(outsidePicture(rendered.scene)).toEqual([]);
        }),
        { numRuns: 60, seed: 7 },
      );
    },
  );

  it.each(['layered_flow', 'swimlane'] as const)(
    'of family %s sends no edge through a node and sets no label on a node or a label (V33)',
    (family) => {
      fc.assert(
        fc.property(contractArbitrary(family, { nodes: 24, edges: 44 }), (input) => {
          const { metrics, violations } = renderDiagram(checked(input)).fitReport;
          expect(metrics.edges_through_nodes).toBe(0);
          expect(metrics.label_overflows).toBe(0);
          expect(violations.filter(({ code }) => code === 'node_gap')).toEqual([]);
          // two edges that run together have no clearance at all
          expect(
            violations.filter(({ code, measured }) => code === 'edge_clearance' && measured === 0),
          ).toEqual([]);
        }),
        { numRuns: 60, seed: 11 },
      );
    },
  );

  it.each(['hierarchy', 'matrix'] as const)('of family %s sends no edge through a node', (family) => {
    fc.assert(
      fc.property(contractArbitrary(family, { nodes: 16, edges: 24 }), (input) => {
        expect(renderDiagram(checked(input)).fitReport.metrics.edges_through_nodes).toBe(0);
      }),
      { numRuns: 40, seed: 13 },
    );
  });

  it('of family hierarchy has no crossing', () => {
    fc.assert(
      fc.property(contractArbitrary('hierarchy', { nodes: 20, edges: 30 }), (input) => {
        expect(renderDiagram(checked(input)).fitReport.metrics.edge_crossings).toBe(0);
      }),
      { numRuns: 40, seed: 17 },
    );
  });

  it('has boxes of the same size whatever the order of its edges', () => {
    const sizes = (input: unknown) =>
      renderDiagram(checked(input)).scene.items.flatMap((item) =>
        item.type === 'shape' ? [[item.subject.id, item.box.w, item.box.h]] : [],
      );
    const reversed = { ...pipelineContract, edges: pipelineContract.edges.toReversed() };
    expect(sizes(reversed)).toEqual(sizes(pipelineContract));
  });

  it.each(['vertical', 'horizontal'])('holds lanes without a node, %s', (orientation) => {
    const { scene } = renderDiagram(
      checked({
        ...pipelineContract,
        diagram_family: 'swimlane',
        nodes: ['a', 'b'].map((id) => ({ id, label: id, kind: 'process', owner: 'third' })),
        edges: [{ from: 'a', to: 'b', kind: 'flow' }],
        owners: ['first', 'second', 'third'].map((id) => ({ id, label: id })),
        groups: [],
        viewport_policy: { width: 1_600, height: 900, orientation },
      }),
    );
    expect(outsidePicture(scene)).toEqual([]);
    const lanes = scene.items.filter(({ type, subject }) => type === 'rect' && subject.of === 'lane');
    expect(lanes.map(({ subject }) => subject.id)).toEqual(['first', 'second', 'third']);
  });

  it('of 30 nodes and 45 edges fits with two crossings and no clearance under six px', () => {
    const { fitReport: report, width, height } = renderDiagram(checked(pipelineContract));
    expect(report.verdict).toBe('fit');
    expect(report.metrics).toMatchObject({
      node_count: 30,
      edge_count: 45,
      node_overlaps: 0,
      label_overflows: 0,
      edge_crossings: 2,
      edges_through_nodes: 0,
      outside_viewport: 0,
      min_font_px_used: 11.5,
      scale_applied: 1,
    });
    expect(width).toBeLessThanOrEqual(1_600);
    expect(height).toBeLessThanOrEqual(2_400);
  });

  it('does not fit a viewport that is too small, and says by which items', () => {
    const small = { ...pipelineContract, viewport_policy: { width: 320, height: 240 } };
    const { fitReport: report } = renderDiagram(checked(small));
    expect(report.verdict).toBe('does_not_fit');
    expect(report.metrics.outside_viewport).toBeGreaterThan(30);
    expect(report.violations.find(({ code }) => code === 'outside_viewport')?.severity).toBe('error');
  });

  it('is scaled into its viewport where the policy says so, and its smaller text is reported', () => {
    const scaled = {
      ...pipelineContract,
      viewport_policy: { width: 1_300, height: 1_300, overflow: 'scale' },
    };
    const { fitReport: report, width, height } = renderDiagram(checked(scaled));
    expect(report.verdict).toBe('fit_with_warnings');
    expect(report.metrics.scale_applied).toBeLessThan(1);
    expect(Math.max(width, height)).toBe(1_300);
    expect(report.metrics.outside_viewport).toBe(0);
    expect(codesOf(scaled)).toContain('font_too_small');
  });

  it('does not fit when its text is scaled below 8 px, whatever its policy fails on (V32)', () => {
    const tiny = {
      ...pipelineContract,
      viewport_policy: { width: 320, height: 240, overflow: 'scale' },
      fit_policy: { fail_on: ['outside_viewport'] },
    };
    const { fitReport: report } = renderDiagram(checked(tiny));
    expect(report.metrics.min_font_px_used).toBeLessThan(8);
    expect(report.verdict).toBe('does_not_fit');
    expect(report.violations.filter(({ severity }) => severity === 'error')).toEqual([
      expect.objectContaining({
        code: 'font_too_small',
        measured: report.metrics.min_font_px_used,
        limit: 11,
      }),
    ]);
  });

  it('cannot fit where the margins leave nothing, not even scaled', () => {
    const none = {
      ...pipelineContract,
      viewport_policy: { width: 320, height: 240, margin: 200, overflow: 'scale' },
    };
    const { fitReport: report } = renderDiagram(checked(none));
    expect(report.verdict).toBe('does_not_fit');
    expect(report.metrics.fill_ratio).toBe(0);
  });

  it('cuts a label to its lines where the policy says so', () => {
    const [first, ...others] = pipelineContract.nodes;
    const long = {
      ...first,
      label: 'A label of very many words that no box of three lines can hold at all '.repeat(2),
    };
    const nodes = [long, ...others];
    expect(codesOf({ ...pipelineContract, nodes })).toEqual(['label_overflow']);
    const cut = { ...pipelineContract, nodes, fit_policy: { truncate: 'ellipsis' } };
    expect(codesOf(cut)).toEqual(['label_truncated']);
    expect(renderDiagram(checked(cut)).svg).toMatch(/…<\/text>/);
  });

  it('gets pure black text where more contrast is asked for than the theme has', () => {
    const asked = { ...pipelineContract.accessibility, min_contrast: 17 };
    const { svg, fitReport: report } = renderDiagram(checked({ ...pipelineContract, accessibility: asked }));
    expect(svg).toContain('fill="#000000"');
    expect(report.metrics.min_contrast).toBeGreaterThanOrEqual(17);
  });

  it('is a whole file: named, described, without script, reference or event attribute (I4.VIS.12, V20)', () => {
    const { svg } = renderDiagram(checked(pipelineContract));
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 [\d.]+ [\d.]+" width="\d+" height="\d+" role="img" lang="en" aria-labelledby="pipeline-title pipeline-desc"/,
    );
    expect(svg).toContain('<title id="pipeline-title">From the SEC archives to a paid answer</title>');
    expect(svg).not.toMatch(
      /<script|<foreignObject|<use|href=| on\w+=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/,
    );
    for (const [, number] of svg.replace(/<style>.*<\/style>/s, '').matchAll(/\d\.(\d+)/g))
      expect(number?.length).toBeLessThanOrEqual(2);
  });

  it('reads in ranks: a line a node, its owner, its targets and their labels (V21)', () => {
    const { textAlternative } = renderDiagram(checked(pipelineContract));
    const lines = textAlternative.split('\n');
    expect(lines[0]).toBe('From the SEC archives to a paid answer');
    expect(lines).toContain(
      'Release gate: schema and invariants hold? (decision, Release): → Artifacts in canonical JSON [yes]; → Quarantine with a reason [no: nothing published]',
    );
    expect(lines).toContain(
      'Warehouse (store, Nightly pipeline): → Daily changes; → Resolve debt; → Resolve crypto holdings; → Market regime; → Perp factors and pressure',
    );
    expect(lines.filter((line) => / \((process|decision|store|actor|document)/.test(line))).toHaveLength(30);
  });
});
