import { describe, expect, it } from 'vitest';
import { documentationDeployment } from '../../../data/contract/emit/deployment.ts';
import { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { type LandingFigures, landing } from '../../../data/contract/payloads/universe/landing.ts';
import { routes } from '../../../data/contract/routes/routes.ts';
import { landingPage } from './landingPage.ts';

const figures: LandingFigures = {
  source_date: '2026-02-07',
  computed_at_utc: '2026-02-08T09:00:00Z',
  issuer_count: 1,
  critical: { live: 0, filing: 0 },
  bands: { moderate: 0.5, high: 0.65, critical: 1, covenant: 0.65 },
  ladder: [landing.schema.shape.ladder.element.parse(covenantStress.example)],
  example_ticker: 'MSTR',
};
const pageOf = (
  night: LandingFigures | null,
  sourceDate: string | null = '2026-02-07',
  { payTo = true, ageDays = 1 } = {},
) => {
  const { x402 } = documentationDeployment;
  const deployment = {
    ...documentationDeployment,
    x402: { ...x402, payTo: payTo ? x402.payTo : null },
  };
  return landingPage({ deployment, routes, sourceDate, ageDays, figures: night });
};
const factsOf = (page: string) =>
  [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [
    name,
    value?.replace(/<[^>]*>/g, ''),
  ]);

describe('the landing page', () => {
  it('asks the question, dates the answer, and states the cheapest price', () => {
    const page = pageOf({ ...figures, issuer_count: 19, critical: { live: 5, filing: 1 } });
    expect(page).toContain(
      '<h1>How solvent is each public company that holds crypto if coins fall by half?</h1>',
    );
    expect(factsOf(page)).toEqual([
      ['Last night', '2026-02-07 1 day old'],
      ['Companies covered', '19'],
      ['CRITICAL at live prices', '5 as filed 1'],
      ['One call from', '$0.03'],
    ]);
  });

  it('says how old the slice is, and whether it is that of last night', () => {
    const dated = (ageDays: number) => factsOf(pageOf(figures, '2026-02-07', { ageDays }))[0];
    expect([0, 1].map(dated)).toEqual([
      ['Last night', '2026-02-07 of today'],
      ['Last night', '2026-02-07 1 day old'],
    ]);
    expect(dated(2)).toEqual(['Last slice', '2026-02-07 2 days old']);
    // nine months later
    expect(dated(291)).toEqual(['Last slice', '2026-02-07 291 days old']);
  });

  it('asks for no payment where a deployment takes none (I4.39a)', () => {
    const told = (mpp: typeof documentationDeployment.mpp, payTo: string | null) =>
      landingPage({
        deployment: {
          ...documentationDeployment,
          mpp,
          x402: { ...documentationDeployment.x402, payTo },
        },
        routes,
        sourceDate: '2026-02-07',
        ageDays: 1,
        figures,
      });
    const keysAlone = told(null, null);
    expect(keysAlone).toContain('call with an API key or a grant.');
    expect(keysAlone).not.toMatch(/stablecoin|\b402\b/);
    for (const page of [told(documentationDeployment.mpp, null), told(null, '0x3C44')])
      expect(page).toMatch(/pay with a stablecoin.*the 402 before each payment/s);
  });

  it('says by the filings where no close reprices anything', () => {
    expect(factsOf(pageOf({ ...figures, critical: { live: null, filing: 2 } }))[2]).toEqual([
      'CRITICAL',
      '2 by the filings',
    ]);
  });

  it('shows no figure before the first night, nor of a slice without any, and says which it is', () => {
    expect(factsOf(pageOf(null, null))).toEqual([
      ['Last night', 'none yet'],
      ['One call from', '$0.03'],
    ]);
    expect(pageOf(null, null)).toContain('after the first night.');
    expect(pageOf(null)).toMatch(
      /The slice of <span class="day">2026-02-07<\/span> was published without these figures/,
    );
    expect(pageOf(null)).not.toContain('<svg');
  });

  it('says what a treasurer and an analyst get before it says how to call, with a whole page one step away', () => {
    const page = pageOf(figures);
    const places = ['For treasurers', 'For credit analysts', 'For developers and agents'].map((words) =>
      page.indexOf(words),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(page.indexOf('<a href="/samples/getCompanyReport">'));
    const unsold = routes.filter(({ operationId }) => operationId !== 'getCompanyReport');
    const { x402 } = documentationDeployment;
    expect(
      landingPage({
        deployment: { ...documentationDeployment, x402 },
        routes: unsold,
        sourceDate: '2026-02-07',
        ageDays: 1,
        figures,
      }),
    ).not.toContain('/samples/');
  });

  it('lets its ladder be taken along as a file of the page itself (V57a)', () => {
    const [, name, text = ''] =
      /download="([^"]+)" href="data:text\/csv;charset=utf-8,([^"]+)"/.exec(pageOf(figures)) ?? [];
    expect(name).toBe('issuer-intelligence-2026-02-07-stress-ladder.csv');
    expect(decodeURIComponent(text).split('\r\n').slice(0, 2)).toEqual([
      'ticker,tier,prices,stress_30pct,stress_50pct,stress_70pct,filed_stress_50pct,filing_age_days,unit,source,slice',
      'MSTR,LOW,live,0.260007,0.36401,0.606684,0.223313,130,"debt over coins, ratio; days","filings with the SEC, stored closes",2026-02-07',
    ]);
  });

  it('prices every live paid route once, and no other', () => {
    const page = pageOf(figures);
    const sold = routes.filter((r) => r.status === 'live' && r.family === 'v1' && r.priceMicroUsd > 0);
    const named = [...page.matchAll(/href="\/reference#(\w+)"/g)].map(([, id]) => id);
    expect([...named].sort()).toEqual(sold.map(({ operationId }) => operationId).sort());
  });

  it('tells of a key where the server takes no payment', () => {
    const page = pageOf(figures, '2026-02-07', { payTo: false });
    expect(page).toContain('X-API-Key');
    expect(page).not.toContain('402 Payment Required');
  });

  it.each([0, 1, 12, 500])('with %i issuers stays under 150 KiB', (count) => {
    const [row] = figures.ladder;
    const ladder = Array.from({ length: count }, (_, i) => ({
      ...row,
      ticker: `ISSUER-${i}`,
      entity_name: 'Strategy Inc',
    }));
    const page = pageOf({ ...figures, issuer_count: count, ladder: ladder as LandingFigures['ladder'] });
    expect(Buffer.byteLength(page)).toBeLessThan(150 * 1024);
    const named = /<tr><th scope="row"><abbr title="Strategy Inc">ISSUER/g;
    expect(page.match(named)?.length ?? 0).toBe(Math.min(count, 12));
  });
});
