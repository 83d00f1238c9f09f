import { describe, expect, it } from 'vitest';
import type { DiagramFamily } from '../../../data/contract/visual/visualContract.ts';
import type { ContractInput } from '../../../fixtures/visual/pipelineContract.ts';
import { readSvg } from '../../../fixtures/visual/readback/readSvg.ts';
import { measureFit } from '../fit/measureFit.ts';
import { renderContract } from '../tools/renderAnswer.ts';

type Node = ContractInput['nodes'][number];
type Edge = ContractInput['edges'][number];

const contractOf = (
  diagram_family: DiagramFamily,
  { nodes, edges }: { nodes: Node[]; edges: Edge[] },
): ContractInput => ({
  diagram_id: 'hostile',
  diagram_family,
  purpose: 'As hard as a contract may be.',
  nodes,
  edges,
  owners: Array.from({ length: 50 }, (_, i) => ({ id: `o${i}`, label: `Owner ${i}` })),
  viewport_policy: { width: 4_096, height: 4_096 },
  accessibility: { title: 'Hostile', description: 'As hard as a contract may be.' },
  // whatever else happens is measured and reported
  fit_policy: { fail_on: ['node_overlap'] },
});
const nodes = (count: number, more: (i: number) => Partial<Node> = () => ({})): Node[] =>
  Array.from({ length: count }, (_, i) => ({ id: `n${i}`, label: `Node ${i}`, ...more(i) }));

/** Edges of a fixed sequence between nodes of ascending index. */
function joined(count: number, edges: number): Edge[] {
  let seed = 3;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed >>> 8) % below;
  };
  return Array.from({ length: edges }, () => {
    const from = next(count - 1);
    return { from: `n${from}`, to: `n${from + 1 + next(count - from - 1)}` };
  });
}

function drawn(contract: ContractInput) {
  const render = renderContract(contract);
  if (!render.ok) throw new Error(JSON.stringify(render).slice(0, 300));
  const { fitReport, steps, svg } = render.rendered;
  expect(fitReport.metrics.node_overlaps).toBe(0);
  expect(steps).toBeLessThan(40_000_000);
  // letters of the faces' data may spell anything
  expect(svg.replace(/<style>.*<\/style>/s, '')).not.toMatch(/NaN|Infinity|undefined/);
  return { ...fitReport, svg };
}

describe('a hostile contract', () => {
  it.each([
    ['layered_flow', nodes(200)],
    ['swimlane', nodes(200, (i) => ({ owner: `o${i % 50}` }))],
    ['network', nodes(200)],
    ['timeline', nodes(200, (i) => ({ start: `2026-01-${String(1 + (i % 28)).padStart(2, '0')}` }))],
    ['matrix', nodes(200, (i) => ({ row: Math.floor(i / 14), column: i % 14 }))],
  ] as const)(
    'of family %s with 200 nodes and 600 edges is drawn within its steps (V67)',
    (family, given) => {
      const { metrics } = drawn(contractOf(family, { nodes: given, edges: joined(200, 600) }));
      expect(metrics).toMatchObject({ node_count: 200, edge_count: 600 });
      if (family === 'layered_flow' || family === 'swimlane') expect(metrics.edges_through_nodes).toBe(0);
    },
  );

  it.each(['network', 'timeline', 'matrix'] as const)(
    'of family %s with hundreds of labels on every rung of the ladder stays within its steps (V67)',
    (family) => {
      const given = nodes(200, (i) => ({
        start: `2026-01-0${1 + (i % 9)}`,
        row: Math.floor(i / 14),
        column: i % 14,
      }));
      // over 1 MiB a picture is refused
      const edges = joined(200, family === 'timeline' ? 250 : 600).map((edge, i) => ({
        ...edge,
        label: i % 2 === 0 ? 'refused' : `label ${i}`,
      }));
      const small = { width: 1_000, height: 800, overflow: 'scale' as const };
      drawn({ ...contractOf(family, { nodes: given, edges }), viewport_policy: small });
    },
  );

  it('that violates its policy thousands of times lists some of each and counts the rest (V32)', () => {
    const given = { ...contractOf('network', { nodes: nodes(200), edges: joined(200, 600) }) };
    const render = renderContract({
      ...given,
      viewport_policy: { width: 320, height: 240 },
      accessibility: { ...given.accessibility, min_contrast: 21 },
      fit_policy: { fail_on: ['node_overlap'], min_node_gap: 200, min_edge_clearance: 50 },
    });
    if (!render.ok) throw new Error(render.code);
    const { violations, violations_left_out: leftOut, verdict, metrics } = render.rendered.fitReport;
    const all = measureFit(render.rendered.scene, render.contract).violations;
    expect(verdict).toBe('fit_with_warnings');
    expect(all.filter(({ code }) => code === 'edge_through_node')).toHaveLength(metrics.edges_through_nodes);
    expect(metrics.edges_through_nodes).toBeGreaterThan(100);
    const counted = Map.groupBy(violations, ({ code }) => code);
    expect(new Set(counted.keys())).toEqual(new Set(all.map(({ code }) => code)));
    for (const listed of counted.values()) expect(listed.length).toBeLessThanOrEqual(20);
    expect(counted.get('edge_through_node')).toHaveLength(20);
    expect(violations.length + (leftOut ?? 0)).toBe(all.length);
    expect(JSON.stringify(violations).length).toBeLessThan(65_536);
  });

  it('of 600 edges from one node has a box as wide as they need', () => {
    const edges = Array.from({ length: 600 }, (_, i) => ({ from: 'n0', to: `n${1 + (i % 199)}` }));
    expect(drawn(contractOf('layered_flow', { nodes: nodes(200), edges })).metrics.edges_through_nodes).toBe(
      0,
    );
  });

  it('is drawn as a chain of 200, as 200 alone, and with ranks far apart', () => {
    const chain = Array.from({ length: 199 }, (_, i) => ({ from: `n${i}`, to: `n${i + 1}` }));
    for (const family of ['layered_flow', 'hierarchy', 'network'] as const) {
      drawn(contractOf(family, { nodes: nodes(200), edges: chain }));
      drawn(contractOf(family, { nodes: nodes(200), edges: [] }));
    }
    const far = nodes(4, (i) => ({ rank: i % 2 === 0 ? 0 : 50 }));
    const edges = [
      { from: 'n0', to: 'n1' },
      { from: 'n2', to: 'n3' },
      { from: 'n3', to: 'n0', kind: 'feedback' as const },
    ];
    drawn(contractOf('layered_flow', { nodes: far, edges }));
  });

  it('on one day, on days of ten thousand years, with one node: has an axis without end or hole', () => {
    const timeline = (days: readonly string[]) =>
      drawn(
        contractOf('timeline', { nodes: nodes(days.length, (i) => ({ start: days[i] ?? '' })), edges: [] }),
      );
    timeline(['2026-02-07']);
    timeline(Array.from({ length: 60 }, () => '2026-02-07'));
    const { svg } = timeline(['0001-01-01', '9999-12-31', '2024-02-29']);
    expect(svg).toMatch(/>2000<\/text>/);
  });

  it('in cycles, doubled both ways and looped is untangled', () => {
    const ring = Array.from({ length: 30 }, (_, i) => ({ from: `n${i}`, to: `n${(i + 1) % 30}` }));
    const both = ring.flatMap((edge) => [edge, { from: edge.to, to: edge.from }, edge]);
    const owned = nodes(30, (i) => ({ owner: `o${i % 3}` }));
    expect(drawn(contractOf('swimlane', { nodes: owned, edges: both })).metrics.edges_through_nodes).toBe(0);
    const loops = Array.from({ length: 8 }, () => ({ from: 'n0', to: 'n0' }));
    drawn(contractOf('network', { nodes: nodes(30), edges: [...both, ...loops] }));
  });

  it('with labels of nothing, marks, joiners, markup and one long word is drawn and escaped', () => {
    const labels = [
      ' ',
      '\u200b',
      '\u0301'.repeat(200),
      '👩\u200d'.repeat(60),
      '</text><script>alert(1)</script>',
      '"&\'<>]]>',
      'x'.repeat(200),
      '\u202eevil\u2066',
      '\u0000\u0007\ufffe',
      'שלום עולם '.repeat(12),
    ];
    const given = labels.map(
      (label, i): Node => ({ id: `n${i}`, label, kind: i % 2 === 0 ? 'actor' : 'decision' }),
    );
    const edges = given
      .slice(1)
      .map(({ id, label }, i) => ({ from: `n${i}`, to: id, label: label.slice(0, 80) }));
    const { svg } = drawn({ ...contractOf('layered_flow', { nodes: given, edges }), title: '\u202e' });
    expect(svg).not.toContain('<script');
    expect(svg).not.toMatch(/[\u0000-\u0008\u202e\u2066\ufffe]/);
    expect(svg).toContain('&lt;/text&gt;');
  });

  it('that is read aloud as it is drawn: title and description hold no character that XML does not (V12)', () => {
    const labels = [
      'a\u0000b\ufffec\u001b[2J',
      '\u202Egnp.exe\u202C',
      ']]></desc><script>1</script>',
      '\u2028',
    ];
    const { svg, ...report } = drawn({
      ...contractOf('layered_flow', { nodes: nodes(2), edges: [] }),
      accessibility: { title: labels.join(' '), description: labels.toReversed().join('\n') },
    });
    expect(report.verdict).toBe('fit');
    expect(readSvg(svg)).toMatchObject({
      title: 'a\ufffdb\ufffdc\ufffd[2J \ufffdgnp.exe\ufffd ]]></desc><script>1</script> \ufffd',
      desc: '\ufffd ]]></desc><script>1</script> \ufffdgnp.exe\ufffd a\ufffdb\ufffdc\ufffd[2J',
    });
    // XML 1.0 §2.2, with no entity but its own
    expect(svg).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
    expect(svg).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
  });
});
