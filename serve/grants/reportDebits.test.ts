import { afterEach, beforeEach, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type AccountRig, accountRig } from '../../fixtures/rigs/accountRig.ts';
import { sampleRest } from '../../fixtures/rigs/sampleHistory.ts';
import { sampleIssuers } from '../../fixtures/rigs/serveRig.ts';

const path = '/v1/company-report/MSTR';
const bundle = '/v1/bundles/company-report';
const wallet = testWallet(85);
let rig: AccountRig;

beforeEach(async () => {
  rig = await accountRig();
  const sourceDate = '2026-02-07';
  const more = sampleRest({ sourceDate, issuers: sampleIssuers, backfilled: false });
  const release = rig.release({ sourceDate, more });
  rig.promote(release, { [sourceDate]: release });
});
afterEach(async () => {
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
});

it('a grant is debited what each report costs, by path and by body (I5.42 b)', async () => {
  const routes = ['GET /v1/company-report/{ticker}', 'POST /v1/bundles/company-report'];
  await rig.enrol({ wallet: wallet.address, budgetMicro: 1_900_000, routes });
  const authorization = `Bearer ${await rig.token(wallet)}`;
  const said = (answer: { json(): Record<string, unknown> }) => {
    const { quoted_cost_usd, cost_usd, grant_debit_usd, grant_remaining_usd } = answer.json();
    return [quoted_cost_usd, cost_usd, grant_debit_usd, grant_remaining_usd];
  };
  expect(said(await rig.ask(path, { headers: { authorization } }))).toEqual([0.6, 0, 0.6, 1.3]);
  expect(said(await rig.ask(`${path}?output_mode=full`, { headers: { authorization } }))).toEqual([
    0.65, 0, 0.65, 0.65,
  ]);
  const post = (body: object) =>
    rig.ask(bundle, { method: 'POST', body, headers: { authorization, 'content-type': 'application/json' } });
  expect(said(await post({ ticker: 'MSTR', output_mode: 'full' }))).toEqual([0.65, 0, 0.65, 0]);
  const refused = await post({ ticker: 'MSTR' });
  expect(refused.json()).toMatchObject({
    status: 402,
    code: 'grant_insufficient_budget',
    quoted_cost_usd: 0.6,
    price_components: [{ component: 'base' }, { component: 'field_map' }],
  });
});

it('the programs that name the report routes cover them (I5.43)', async () => {
  const { grant_auth: covered } = (await rig.ask(path)).json() as {
    grant_auth: { covered_by_programs: string[] };
  };
  expect(covered.covered_by_programs).toContain('design_partner_alpha');
});
