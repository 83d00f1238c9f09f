import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import type { RenderReceipt, StoredRender } from '../../../data/contract/visual/renderReceipt.ts';
import {
  fitReportData,
  type IndexEntry,
  renderData,
  specPackageData,
  specSearchData,
  validateData,
} from '../../../data/contract/visual/visualToolData.ts';
import { type ContractInput, pipelineContract } from '../../../fixtures/visual/pipelineContract.ts';
import { packageAnswer, packageSpecs } from './packageSpecs.ts';
import { fitReportAnswer, renderAnswer, renderContract, textHash, unsignedReceipt } from './renderAnswer.ts';
import { entryOf, searchPriceMicroUsd, searchSpecs } from './searchSpecs.ts';
import { validateDiagram } from './validateDiagram.ts';

const quoting = {
  renderPriceMicroUsd: 600_000,
  quoteId: 'qte_01JKZ3M6Q2V8R4T7W9Y1A3C5E7',
  expiresAt: '2026-02-07T10:15:00Z',
};
const stamp = {
  receipt_id: 'vrcp_01JKZ3M6Q2V8R4T7W9Y1A3C5E7',
  created_at_utc: '2026-02-07T10:00:00Z',
  settlement_mode: 'api_key_not_charged',
  key_id: 'key-1',
};
const request = { project_id: null, payment_reference: null, source_digest: [], quoted_price_usd: 0.6 };
const many = (count: number): ContractInput => ({
  ...pipelineContract,
  nodes: Array.from({ length: count }, (_, i) => ({ id: `n${i}`, label: `Node ${i}` })),
  edges: Array.from({ length: 20 }, (_, i) => ({ from: `n${i}`, to: `n${i + 1}` })),
  viewport_policy: { width: 4_096, height: 4_096 },
});

function stored(input: unknown, receiptId = stamp.receipt_id): StoredRender {
  const render = renderContract(input);
  if (!render.ok) throw new Error(render.code);
  const receipt: RenderReceipt = {
    ...unsignedReceipt(render, { request, stamp: { ...stamp, receipt_id: receiptId } }),
    signature: 'c2lnbmF0dXJl',
  };
  const { svg, textAlternative, fitReport } = render.rendered;
  return {
    contract: render.contract,
    svg,
    textAlternative,
    receipt,
    fitReport: { ...fitReport, render_receipt_id: receiptId },
  };
}

describe('validate', () => {
  it('answers a valid contract with its hash and defaults, and quotes nothing for a small one', () => {
    const data = validateDiagram(pipelineContract, quoting);
    expect(validateData.parse(data)).toEqual(data);
    expect(data).toMatchObject({ valid: true, would_render: true, errors: [] });
    expect(data.contract_sha256).toBe(textHash(canonicalJson(data.normalized_contract as never)));
    expect(data.estimate.output_tokens).toBe(400 + 120 * 30 + 60 * 45);
    // 6,700 tokens out and about 1,600 in: a little under 35 % of 0.60
    expect(data.estimate.estimated_model_cost_usd).toBeLessThan(0.21);
    expect(data.quote).toBeNull();
  });

  it("quotes 1.42 with T2 and T7 for the worked example's sizes", () => {
    const size = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
    const sources = Array.from({ length: 100 }, (_, i) => ({
      id: `s${i}`,
      kind: 'url' as const,
      locator: 'x'.repeat(280),
    }));
    const base = { ...many(90), source_refs: sources };
    const source_refs = sources.map(({ id }) => id);
    const nodes = base.nodes.map((node) => ({ ...node, label: 'a name of words '.repeat(5), source_refs }));
    const trimmed = { ...base, nodes, metadata: { pad: '' } };
    // metadata takes what is left
    const contract = { ...trimmed, metadata: { pad: 'x'.repeat(100_000 - size(trimmed)) } };
    expect(size(contract)).toBe(100_000);
    const { quote, estimate } = validateDiagram(contract, quoting);
    expect(estimate).toEqual({
      input_tokens: 25_000,
      output_tokens: 12_400,
      estimated_model_cost_usd: 0.497,
    });
    expect(quote).toMatchObject({ triggers: ['T2', 'T7'], quoted_price_usd: 1.42 });
  });

  it('lists the first 100 findings and counts the rest', () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`member${i}`, 1]));
    const data = validateDiagram({ ...pipelineContract, ...unknown(130) }, quoting);
    expect(validateData.parse(data)).toEqual(data);
    expect([data.errors.length, data.errors_left_out, data.warnings_left_out]).toEqual([100, 30, undefined]);
    const whole = validateDiagram({ ...pipelineContract, ...unknown(100) }, quoting);
    expect(whole.errors).toHaveLength(100);
    expect(whole).not.toHaveProperty('errors_left_out');
    const { nodes = [], ...rest } = many(130);
    const foreign = { ...rest, nodes: nodes.map((node) => ({ ...node, label: '\u6f22' })) };
    const drawn = validateDiagram(foreign, quoting);
    expect([drawn.valid, drawn.warnings.length, drawn.warnings_left_out]).toEqual([true, 100, 30]);
  });

  it('answers an invalid contract with its errors and an estimate all the same', () => {
    const data = validateDiagram({ ...pipelineContract, nodes: [] }, quoting);
    expect(validateData.parse(data)).toEqual(data);
    expect(data).toMatchObject({
      valid: false,
      would_render: false,
      contract_sha256: null,
      normalized_contract: null,
    });
    expect(data.errors[0]).toMatchObject({ code: 'out_of_range', path: '/nodes' });
    expect(validateDiagram('x', quoting)).toMatchObject({ valid: false, estimate: { output_tokens: 400 } });
  });
});

describe('render', () => {
  it('answers with picture, report, receipt, text and provenance that agree', () => {
    const render = renderContract(pipelineContract);
    if (!render.ok) throw new Error(render.code);
    const receipt = { ...unsignedReceipt(render, { request, stamp }), signature: 'c2lnbmF0dXJl' };
    const data = renderAnswer(render, { receipt, artifactId: 'vart_1', specId: 'vspec_1' });
    expect(renderData.parse(data)).toEqual(data);
    expect(data.artifact.sha256).toBe(textHash(data.artifact.svg));
    expect(data.render_receipt.fit_report_sha256).toBe(textHash(canonicalJson(data.fit_report as never)));
    expect(data.render_receipt.text_alternative_sha256).toBe(textHash(data.text_alternative));
    expect(data.provenance.font_metrics_version).toMatch(/^plex-5\.3\.0-[0-9a-f]{8}$/);
    const again = renderContract(structuredClone(pipelineContract));
    expect(again.ok && textHash(again.rendered.svg)).toBe(data.artifact.sha256);
  });

  it('refuses what is invalid or does not fit, with the reasons', () => {
    expect(renderContract({})).toMatchObject({ ok: false, code: 'contract_invalid' });
    const refused = renderContract({ ...pipelineContract, viewport_policy: { width: 320, height: 240 } });
    if (refused.ok || refused.code !== 'does_not_fit') throw new Error('it fits');
    expect(refused.fitReport.violations.some(({ severity }) => severity === 'error')).toBe(true);
  });

  it('gives its report again under its receipt', () => {
    const { fitReport } = stored(pipelineContract);
    const data = fitReportAnswer(stamp.receipt_id, fitReport);
    expect(fitReportData.parse(data)).toEqual(data);
    expect(data.fit_report).toEqual(fitReport);
  });
});

describe('search', () => {
  const entry = (specId: string, more: Partial<ContractInput>): IndexEntry => {
    const render = renderContract({ ...many(21), ...more });
    if (!render.ok) throw new Error(render.code);
    const hashes = { contractSha256: 'a'.repeat(64), artifactSha256: 'b'.repeat(64) };
    return entryOf(render.contract, { specId, ...hashes, createdAtUtc: '2026-02-07T10:00:00Z' });
  };
  const entries = [
    entry('s1', { title: 'Debt ladder' }),
    entry('s2', { title: 'Coins', purpose: 'Shows the debt of holders.' }),
    entry('s3', { title: 'Regimes', reuse_metadata: { tags: ['debt', 'weekly'] } }),
    entry('s4', { title: 'Market' }),
  ];
  const search = { query: 'DÉBT', family: null, tags: [], limit: 10, offset: 0 };

  it('orders by where a word stands, then by id, and leaves out what has none', () => {
    const data = searchSpecs(entries, search, null);
    expect(specSearchData.parse(data)).toEqual(data);
    expect(data.data.map(({ spec_id, score }) => [spec_id, score])).toEqual([
      ['s1', 1],
      ['s3', 0.8],
      ['s2', 0.4],
    ]);
    expect(data.meta).toMatchObject({ total: 3, count: 3 });
  });

  it('is narrowed by family and tags, and paged', () => {
    const found = (more: object) =>
      searchSpecs(entries, { ...search, ...more }, null).data.map(({ spec_id }) => spec_id);
    expect(found({ tags: ['debt'] })).toEqual(['s3']);
    expect(found({ family: 'matrix' })).toEqual([]);
    expect(found({ limit: 1, offset: 1 })).toEqual(['s3']);
  });

  it('costs 0.03 to 0.08 (I4.VIS.17)', () => {
    const price = (limit: number, includeContract = false) => searchPriceMicroUsd(limit, includeContract);
    expect([1, 10, 11, 20, 21, 50].map((limit) => price(limit))).toEqual([
      30_000, 30_000, 40_000, 40_000, 50_000, 70_000,
    ]);
    expect(price(50, true)).toBe(80_000);
  });
});

describe('a package', () => {
  const named = {
    package_id: 'vpkg_1',
    package_name: 'sample',
    created_at_utc: '2026-02-07T10:00:00Z',
  };
  const signature = {
    alg: 'Ed25519',
    key_id: 'ed25519-0000000000000000',
    public_key: 'a'.repeat(44),
    value: 'b'.repeat(88),
  } as const;

  it('holds five files of each render and a manifest with the hash of each (I4.VIS.19)', () => {
    const made = packageSpecs([stored(pipelineContract)], named);
    if (!made.ok) throw new Error('it is small');
    const data = packageAnswer(made, signature);
    expect(specPackageData.parse(data)).toEqual(data);
    expect(data.package.files.map(({ path }) => path.replace(`${stamp.receipt_id}/`, ''))).toEqual([
      'contract.json',
      'diagram.svg',
      'fit_report.json',
      'render_receipt.json',
      'text_alternative.txt',
      'manifest.json',
    ]);
    for (const { content_base64, sha256, bytes } of data.package.files) {
      const content = Buffer.from(content_base64, 'base64');
      expect(content.length).toBe(bytes);
      expect(textHash(content.toString())).toBe(sha256);
    }
    const manifest = data.package.files.at(-1);
    expect(manifest?.sha256).toBe(data.package.manifest_sha256);
    expect(JSON.parse(Buffer.from(manifest?.content_base64 ?? '', 'base64').toString())).toEqual({
      ...made.manifest,
      signature,
    });
  });

  it('is refused over 4 MiB', () => {
    const one = stored(pipelineContract);
    const large = { ...one, svg: one.svg.padEnd(2 * 1024 * 1024) };
    expect(packageSpecs([large, large], named)).toMatchObject({ ok: false, code: 'result_too_large' });
  });
});
