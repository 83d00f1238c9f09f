import { describe, expect, it } from 'vitest';
import { visualContract } from '../../../../data/contract/visual/visualContract.ts';
import type { ContractInput } from '../../../../fixtures/visual/pipelineContract.ts';
import { checkContract } from '../checkContract.ts';
import { passedRanks } from './assignRanks.ts';

const contractOf = (
  nodes: number,
  edges: ContractInput['edges'],
  more: Partial<ContractInput> = {},
): ContractInput => ({
  diagram_id: 'ranks',
  diagram_family: 'layered_flow',
  purpose: 'Ranks that edges pass.',
  nodes: Array.from({ length: nodes }, (_, i) => ({ id: `n${i}`, label: `Node ${i}` })),
  edges,
  viewport_policy: { width: 4_096, height: 4_096 },
  accessibility: { title: 'Ranks', description: 'Ranks that edges pass.' },
  fit_policy: {},
  ...more,
});
const chain = (nodes: number) =>
  Array.from({ length: nodes - 1 }, (_, i) => ({ id: `c${i}`, from: `n${i}`, to: `n${i + 1}` }));
const passed = (contract: ContractInput) => passedRanks(visualContract.parse(contract));

describe('ranks that edges pass (V70)', () => {
  it('are those between the ends: none in a chain, one for an edge beside two others', () => {
    expect(passed(contractOf(3, chain(3)))).toBe(0);
    expect(passed(contractOf(3, [...chain(3), { from: 'n0', to: 'n2' }]))).toBe(1);
    expect(passed(contractOf(3, [...chain(3), { from: 'n2', to: 'n0', kind: 'feedback' }]))).toBe(1);
  });

  it('are more where labels stand in ranks of their own, and where nodes are pinned', () => {
    const labelled = chain(3).map((edge) => ({ ...edge, label: 'label' }));
    // ranks 0, 2 and 4
    expect(passed(contractOf(3, [...labelled, { from: 'n0', to: 'n2' }]))).toBe(5);
    const noted = { labels: [{ id: 'l', text: 'note', anchor: 'c0' }] };
    expect(passed(contractOf(3, [...chain(3), { from: 'n0', to: 'n2' }], noted))).toBe(3);
  });

  it('beyond 60,000 are refused before anything is laid out; the same edges without labels are not', () => {
    const long = Array.from({ length: 401 }, (_, i) => ({
      from: `n${i % 50}`,
      to: `n${199 - ((i * 7) % 50)}`,
    }));
    expect(checkContract(contractOf(200, [...chain(200), ...long])).errors).toEqual([]);
    const labelled = [...chain(200), ...long].map((edge) => ({ ...edge, label: 'label' }));
    expect(checkContract(contractOf(200, labelled)).errors).toMatchObject([
      { code: 'too_large', path: '/edges', message: expect.stringMatching(/^The edges pass 1\d{5} ranks/) },
    ]);
  });
});
