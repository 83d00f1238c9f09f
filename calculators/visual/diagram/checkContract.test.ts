import { describe, expect, it } from 'vitest';
import type { ContractInput } from '../../../fixtures/visual/pipelineContract.ts';
import { checkContract } from './checkContract.ts';

const small: ContractInput = {
  diagram_id: 'small',
  diagram_family: 'layered_flow',
  purpose: 'A small one.',
  nodes: [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ],
  edges: [{ from: 'a', to: 'b' }],
  viewport_policy: { width: 640, height: 480 },
  accessibility: { title: 'Small', description: 'Two nodes.' },
  fit_policy: {},
};
const found = (value: unknown) => checkContract(value).errors.map(({ code, path }) => `${code} ${path}`);
const warned = (value: unknown) => checkContract(value).warnings.map(({ code, path }) => `${code} ${path}`);

describe('a checked contract', () => {
  it('has every default of I4.VIS.5 to I4.VIS.7 filled in', () => {
    const { contract } = checkContract(small);
    expect(contract).toMatchObject({
      nodes: [{ kind: 'process', emphasis: 'none', source_refs: [] }, {}],
      edges: [{ kind: 'flow' }],
      viewport_policy: { margin: 24, min_font_px: 11, orientation: 'vertical', overflow: 'error' },
      accessibility: { language: 'en', min_contrast: 4.5, include_text_alternative: true },
      fit_policy: {
        max_label_lines: 3,
        truncate: 'never',
        min_node_gap: 24,
        min_edge_clearance: 6,
        max_edge_crossings: null,
        fail_on: ['label_overflow', 'node_overlap', 'outside_viewport'],
      },
      render_policy: { theme: 'light', font_family: 'sans', show_legend: false },
      reuse_metadata: { tags: [], license: null, keywords: [], visibility: 'private' },
      labels: [],
      owners: [],
      groups: [],
      metadata: {},
    });
  });

  it('is counted in bytes of its compact JSON', () => {
    const value = { ...small, purpose: 'Ä "quoted" \u0001 → 🚀' };
    expect(checkContract(value).bytes).toBe(new TextEncoder().encode(JSON.stringify(value)).length);
  });

  it('is refused where it is no object, and each wrong member is named by its pointer', () => {
    expect(found(null)).toEqual(['invalid_value ']);
    expect(found({ ...small, colour: 'red', nodes: [{ id: 'a', label: '', shape: 'star' }] })).toEqual([
      'out_of_range /nodes/0/label',
      'unknown_member /nodes/0/shape',
      'unknown_member /colour',
    ]);
    expect(found({ ...small, metadata: { 'a/b~c': 1 } })).toEqual(['invalid_value /metadata/a~1b~0c']);
  });

  it('is refused at a glance when it is large: 10,000 nodes, 200 KiB, metadata over 8 KiB', () => {
    const nodes = Array.from({ length: 10_000 }, (_, i) => ({ id: `n${i}`, label: 'x' }));
    expect(found({ ...small, nodes })).toEqual(['too_large ']);
    expect(found({ ...small, nodes: nodes.slice(0, 201), edges: [] })).toEqual(['out_of_range /nodes']);
    const edges = Array.from({ length: 601 }, () => ({ from: 'a', to: 'b' }));
    expect(found({ ...small, edges })).toEqual(['out_of_range /edges']);
    expect(found({ ...small, metadata: { a: 'x'.repeat(9_000) } })).toEqual(['too_large /metadata']);
  });

  it('is refused when it is nested too deep or holds text that is no text', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(checkContract({ ...small, metadata: deep }).errors[0]?.code).toMatch(/too_large|not_json/);
    expect(found({ ...small, purpose: 'lone \ud800' })).toEqual(['not_json /purpose']);
  });

  it('refers to nothing that is not there, and names each id once (I4.VIS.8)', () => {
    expect(
      found({
        ...small,
        nodes: [
          { id: 'a', label: 'A', group: 'g', owner: 'o', source_refs: ['s'] },
          { id: 'a', label: 'B' },
        ],
        edges: [{ from: 'a', to: 'c', id: 'a' }],
        labels: [{ id: 'l', text: 'x', anchor: 'q' }],
      }),
    ).toEqual([
      'duplicate_id /nodes/1/id',
      'duplicate_id /edges/0/id',
      'unknown_reference /nodes/0/group',
      'unknown_reference /nodes/0/owner',
      'unknown_reference /nodes/0/source_refs/0',
      'unknown_reference /edges/0/to',
      'unknown_reference /labels/0/anchor',
    ]);
  });

  it('has cycles only through feedback in a layered flow, and loops only in a network (I4.VIS.8)', () => {
    const back = { from: 'b', to: 'a' };
    expect(found({ ...small, edges: [...small.edges, back] })).toEqual(['cycle /edges/1']);
    expect(found({ ...small, edges: [...small.edges, { ...back, kind: 'feedback' }] })).toEqual([]);
    expect(found({ ...small, edges: [{ from: 'a', to: 'a' }] })).toEqual(['self_loop /edges/0']);
    expect(found({ ...small, diagram_family: 'network', edges: [{ from: 'a', to: 'a' }] })).toEqual([]);
  });

  it('has what its family needs (I4.VIS.8)', () => {
    const family = (diagram_family: string, more: object) => found({ ...small, diagram_family, ...more });
    expect(family('matrix', {})).toEqual(['cell_missing /nodes/0/row', 'cell_missing /nodes/1/row']);
    const cell = { row: 1, column: 2 };
    const cells = small.nodes.map((node) => ({ ...node, ...cell }));
    expect(family('matrix', { nodes: cells })).toEqual(['cell_taken /nodes/1']);
    expect(family('swimlane', {})).toEqual(['owner_missing /nodes/0/owner', 'owner_missing /nodes/1/owner']);
    const days = [
      { id: 'a', label: 'A', start: '2026-02-07', end: '2026-02-06' },
      { id: 'b', label: 'B' },
    ];
    expect(family('timeline', { nodes: days })).toEqual([
      'end_before_start /nodes/0/end',
      'start_missing /nodes/1/start',
    ]);
    expect(family('timeline', { nodes: [{ ...days[0], end: '2026-02-30' }] })).toEqual([
      'invalid_value /nodes/0/end',
    ]);
    const joined = [...small.edges, ...small.edges];
    expect(family('hierarchy', { edges: joined })).toEqual(['two_parents /edges/1/to']);
    expect(family('hierarchy', { edges: [...small.edges, { from: 'b', to: 'a' }] })).toEqual([
      'cycle /edges/1',
    ]);
  });

  it('warns of glyphs no face has, of pins that cannot hold and of margins without room', () => {
    expect(warned(small)).toEqual([]);
    const nodes = [
      { id: 'a', label: '日本', rank: 2 },
      { id: 'b', label: 'שלום', rank: 2 },
    ];
    const viewport_policy = { width: 320, height: 240, margin: 120 };
    expect(warned({ ...small, nodes, viewport_policy })).toEqual([
      'margin_too_wide /viewport_policy/margin',
      'glyph_outside_font /nodes/0/label',
      'glyph_outside_font /nodes/1/label',
      'rank_not_kept /edges/0',
    ]);
  });
});
