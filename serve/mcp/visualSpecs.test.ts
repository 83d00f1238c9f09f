import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type {
  FitReportData,
  SpecPackageData,
  SpecSearchData,
} from '../../data/contract/visual/visualToolData.ts';
import { type VisualRig, visualRig } from '../../fixtures/rigs/visualRig.ts';
import { matrixContract, timelineContract } from '../../fixtures/visual/familyContracts.ts';

let desk: VisualRig;
beforeEach(async () => {
  desk = await visualRig();
});
afterEach(() => desk.rig.close());

describe('visual_fit_report', () => {
  it('shows the report of a render again, quoted and covered (I4.VIS.16)', async () => {
    const { fit_report: report, render_receipt: receipt } = await desk.render(matrixContract);
    const { data, structured } = await desk.ask<FitReportData>('visual_fit_report', {
      render_receipt_id: receipt.receipt_id,
    });
    expect(data).toEqual({
      fit_report: report,
      render_receipt_id: receipt.receipt_id,
      covered_by_render_receipt: true,
    });
    expect(structured['billing']).toMatchObject({ cost_usd: 0, quoted_cost_usd: 0.3 });
  });
});

describe('visual_spec_search', () => {
  it('finds own and public specs at the price of its page (I4.VIS.17)', async () => {
    await desk.render(matrixContract);
    const shared = await desk.render({
      ...timelineContract,
      reuse_metadata: { visibility: 'public', tags: ['plan'] },
    });
    const search = async (args: object, key = desk.ours) =>
      await desk.ask<SpecSearchData>('visual_spec_search', args, key);
    const query = 'matrix';
    const own = await search({ query });
    expect(own.data.data.map(({ diagram_id }) => diagram_id)).toEqual([matrixContract.diagram_id]);
    expect(own.structured['billing']).toMatchObject({ quoted_cost_usd: 0.03 });
    expect((await search({ query }, desk.theirs)).data.meta.total).toBe(0);
    const found = await search(
      { query: 'plan', tags: ['plan'], limit: 50, include_contract: true },
      desk.theirs,
    );
    expect(found.data.data[0]).toMatchObject({
      spec_id: shared.search_metadata.spec_id,
      contract: { diagram_id: timelineContract.diagram_id },
    });
    expect(found.structured['billing']).toMatchObject({ quoted_cost_usd: 0.08, cost_usd: 0 });
  });
});

describe('visual_spec_package', () => {
  it('holds the files of renders with a manifest that proves itself (I4.VIS.19)', async () => {
    const ids = [
      (await desk.render(matrixContract)).render_receipt.receipt_id,
      (await desk.render(timelineContract)).render_receipt.receipt_id,
    ];
    const { data, structured } = await desk.ask<SpecPackageData>('visual_spec_package', {
      render_receipt_ids: ids,
      package_name: 'two-renders',
    });
    expect(data.package.files).toHaveLength(11);
    expect(structured['billing']).toMatchObject({ quoted_cost_usd: 1.25 });
    const manifest = JSON.parse(
      Buffer.from(data.package.files.at(-1)?.content_base64 ?? '', 'base64').toString('utf8'),
    );
    const { signature, ...unsigned } = manifest;
    const x = Buffer.from(signature.public_key, 'base64').toString('base64url');
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
    const bytes = Buffer.from(canonicalJson(unsigned));
    expect(verify(null, bytes, key, Buffer.from(signature.value, 'base64'))).toBe(true);
    expect(unsigned.files.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(
      data.package.files.slice(0, -1).map(({ sha256 }) => sha256),
    );
  });
});
