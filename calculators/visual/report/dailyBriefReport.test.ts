import { describe, expect, it } from 'vitest';
import { alphaSignals } from '../../../data/contract/payloads/issuer/alphaSignals.ts';
import { covenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { dailyBrief } from '../../../data/contract/payloads/reports/dailyBrief.ts';
import { latestDailyChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import { readiness } from '../../../data/contract/payloads/universe/readiness.ts';
import { riskDistribution } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import { writeReport } from '../pdf/writeReport.ts';
import { type DailyBriefFacts, dailyBriefPayload } from './dailyBriefPayload.ts';
import { dailyBriefReport } from './dailyBriefReport.ts';

const filing = riskDistribution.example;
const live = {
  ...filing,
  CRITICAL: { count: 3, percentage: 23.08 },
  HIGH: { count: 2, percentage: 15.38 },
  meta: { ...filing.meta, basis: 'live' as const },
};
const days = Array.from({ length: 28 }, (_, i) => `2026-01-${String(i + 4).padStart(2, '0')}`);
const facts: DailyBriefFacts = {
  sourceDate: '2026-02-07',
  publishedAt: '2026-02-08T09:00:00Z',
  sliceStatus: 'complete',
  readiness: {
    ...readiness.example,
    live_prices_active: true,
    btc_7d_change_pct: -11.04,
    market_regime: 'bearish_high_vol',
  },
  universeCount: 215,
  changes: { ...latestDailyChanges.example, risk_tier_moves: [] },
  risk: { filing, shown: live },
  untiered: [],
  comparedWith: '2026-02-06',
  stressed: [covenantStress.example],
  board: [alphaSignals.example],
  regimes: days.map((date) => ({ date, regime: 'bearish_high_vol' as const })),
  coins: [{ asset: 'BTC', closes: days.map((date, i) => ({ date, close: 70_000 + i })) }],
  products: [],
  bands: {
    stress: { moderate: 0.5, high: 0.65, critical: 1, covenant: 0.65 },
    pressure: { balanced: -0.75, building: 0.75, elevated: 1.5, extreme: 2.5 },
  },
};
const none = { count: 0, percentage: 0 };
const distribution = (total: number, counts: Partial<typeof live> = {}) => ({
  CRITICAL: none,
  HIGH: none,
  MODERATE: none,
  LOW: none,
  UNCLASSIFIED: none,
  ...counts,
  meta: { ...live.meta, total },
});
const said = (change: Partial<DailyBriefFacts>) => dailyBriefReport({ ...facts, ...change });
const move = (i: number) => ({
  ticker: `T${i}`,
  cik: String(i).padStart(10, '0'),
  entity_name: `Issuer ${i}`,
  prior_tier: 'LOW' as const,
  new_tier: 'HIGH' as const,
  direction: 'up' as const,
});

describe('the section about capital structures (M18.86)', () => {
  const cardOf = (capital_moves: readonly object[]) =>
    said({ changes: { ...facts.changes, movement_summary: { capital_moves } } }).cards.find(
      ({ id }) => id === 'capital',
    );
  const line = (text: string) => ({ ticker: 'XY', text, accession_number: '0000000001-26-000009' });

  it('is not there where nothing changed', () => {
    expect(cardOf([])).toBeUndefined();
    expect(dailyBriefReport(facts).cards.map(({ id }) => id)).not.toContain('capital');
  });

  it('tells six lines with their filings, and how many more there are', () => {
    const proven = 'new: Bond, principal 5,000,000 USD, stated by one tag';
    expect(cardOf([line(proven)])?.paragraphs).toEqual([`XY: ${proven} (0000000001-26-000009).`]);
    const many = cardOf(Array.from({ length: 8 }, () => line(proven)));
    expect(many?.paragraphs).toHaveLength(7);
    expect(many?.paragraphs.at(-1)).toBe('2 more lines stand in the daily changes.');
  });
});

describe('the daily brief as a report', () => {
  it('states where issuers stand, on the basis that was counted, and the week of bitcoin', () => {
    const { headline, lede, keyFigures } = dailyBriefReport(facts);
    expect(headline).toBe('3 of 13 issuers sit in the CRITICAL tier at live prices');
    expect(lede).toBe(
      'By the filings alone 1 issuer is CRITICAL. Bitcoin fell by 11.0\u00a0% in seven days; the market regime is bearish, high volatility. 4 companies of the universe changed filed facts; outside it 106 companies did.',
    );
    expect(keyFigures.map(({ value, note }) => [value, note])).toEqual([
      ['13', null],
      ['3', 'of 13'],
      ['\u221211.0\u00a0%', null],
      ['4', '106 outside the universe'],
    ]);
  });

  it('has its sections in one order, whatever is missing (V56)', () => {
    const order = ['ladder', 'tiers', 'moves', 'regime', 'prices', 'pressure', 'alpha'];
    for (const change of [{}, { products: null, board: [], stressed: [], coins: [], regimes: [] }])
      expect(said(change).cards.map(({ id }) => id)).toEqual(order);
  });

  it.each([
    [
      'moves',
      { changes: { ...facts.changes, risk_tier_moves: [move(1)] } },
      /; 1 issuer changed tier by filing$/,
    ],
    [
      'no filing in force',
      { risk: { filing: distribution(0), shown: distribution(0) } },
      /^No issuer has a filing in force on 2026-02-07$/,
    ],
    [
      'nothing to classify',
      { risk: { filing, shown: distribution(4, { UNCLASSIFIED: { count: 4, percentage: 100 } }) } },
      /^None of 4 issuers can be classified$/,
    ],
    [
      'one issuer',
      { risk: { filing, shown: distribution(1, { HIGH: { count: 1, percentage: 100 } }) } },
      /^The one issuer of the slice sits in the HIGH tier at live prices$/,
    ],
    [
      'none above LOW',
      { risk: { filing, shown: distribution(5, { LOW: { count: 5, percentage: 100 } }) } },
      /^No issuer is above the LOW tier at live prices: 5 of 5 issuers are LOW$/,
    ],
  ] as const)('has a headline for %s', (_, change, expected) => {
    expect(said(change as Partial<DailyBriefFacts>).headline).toMatch(expected);
  });

  it('offers each table as what it counts, with a unit of its own (V57a)', () => {
    const { cards } = said({ changes: { ...facts.changes, risk_tier_moves: [move(1)] } });
    const tables = cards.flatMap(({ table }) => (table === null ? [] : [table]));
    for (const { caption, raw } of tables) expect(raw?.unit, caption).toMatch(/\w/);
    const rawOf = (card: string) => cards.find(({ id }) => id === card)?.table?.raw;
    expect(rawOf('moves')?.rows[0]?.slice(0, 4)).toEqual(['T1', '0000000001', 'Issuer 1', 'LOW']);
    expect(rawOf('regime')?.rows[0]).toEqual(['2026-01-04', 'bearish_high_vol']);
  });

  it('names the company of each ticker, also on paper', () => {
    const { terms, names } = said({});
    expect(names?.get('MSTR')).toBe('Strategy Inc');
    const told = 'BMNR Bitmine Immersion Technologies, Inc.; MSTR Strategy Inc.';
    expect(terms.at(-1)).toEqual({ term: 'Tickers', explanation: told });
  });

  it('says what is missing, and never a figure for it', () => {
    const { lede, keyFigures, caveats, cards } = said({
      products: null,
      sliceStatus: 'partial',
      readiness: {
        ...facts.readiness,
        btc_7d_change_pct: null,
        market_regime: null,
        live_prices_active: false,
      },
    });
    expect(lede).toContain('The seven-day change of bitcoin is not known; no market regime can be read.');
    expect(keyFigures[2]).toEqual({ label: 'Bitcoin, 7 days', value: 'unknown', note: 'a close is missing' });
    expect(caveats.join(' ')).toMatch(/slice is partial.*not repriced.*no market half/);
    const pressure = cards.find(({ id }) => id === 'pressure');
    expect(pressure).toMatchObject({ heading: 'No market half', chart: null, table: null });
  });

  it('gives words for the prices of a night whose coins have no close, and no picture', () => {
    const coins = facts.coins.map(({ asset, closes }) => ({
      asset,
      closes: closes.map(({ date }) => ({ date, close: null })),
    }));
    expect(said({ coins }).cards.find(({ id }) => id === 'prices')).toMatchObject({
      heading: 'No closes',
      chart: null,
      table: null,
    });
  });

  it('says in the heading of made-up observations that they are (V39)', () => {
    const headingOf = (isMadeUp: boolean) => {
      const buckets = [{ observed_bucket_utc: '2026-02-07T00:00:00Z', factors: { pressure: 0.2 } }];
      const read = { product: 'BTC', buckets, state: 'balanced', missing: null, isMadeUp } as const;
      const products = [read];
      return said({ products }).cards.find(({ id }) => id === 'pressure')?.heading ?? '';
    };
    expect(headingOf(true)).toMatch(/ \(made up\)$/);
    expect(headingOf(false)).not.toMatch(/made up/);
  });

  it('tells a night without a change', () => {
    const universe_stats = { company_count: 0, new_company_count: 0, other_company_count: 0 };
    const { lede, cards } = said({ changes: { ...facts.changes, universe_stats } });
    expect(lede).toContain('No company of the universe changed its filed facts.');
    const moves = cards.find(({ id }) => id === 'moves');
    expect(moves?.paragraphs[0]).toBe('No issuer changed its tier.');
    expect([moves?.chart, moves?.table]).toEqual([null, null]);
  });
});

describe('the published brief', () => {
  it('is of its schema, its page holds the very bytes of each chart, once each (I4.R28.3, V54)', () => {
    const value = dailyBriefPayload(facts, dailyBriefReport(facts));
    expect(dailyBrief.schema.parse(value)).toEqual(value);
    expect(value.charts.map(({ id }) => id)).toEqual([
      'stress-ladder',
      'tier-bars',
      'regime-strip',
      'price-rows',
      'alpha-bars',
    ]);
    for (const { svg } of value.charts) expect(value.html.split(svg)).toHaveLength(2);
  });

  it('keeps the page rules: one h1, no gap in headings, no script, no request (I4.R28.5)', () => {
    const { html } = dailyBriefPayload(facts, dailyBriefReport(facts));
    expect(html.match(/<h1\b/g)).toHaveLength(1);
    const levels = [...html.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
    for (const [i, level] of levels.entries()) expect(level - (levels[i - 1] ?? 0)).toBeLessThanOrEqual(1);
    expect(html).not.toMatch(/<script|<form|<iframe|\son\w+=|(?:src|href)="(?!#|data:)/i);
    expect(html).not.toMatch(/url\((?!data:)/);
    for (const table of html.match(/<table[\s\S]*?<\/table>/g) ?? []) {
      expect(table).toContain('<caption>');
      expect(table).toMatch(/scope="col"[\s\S]*scope="row"/);
    }
    for (const landmark of ['header', 'main', 'footer'])
      expect(html.match(new RegExp(`<${landmark}\\b`, 'g'))).toHaveLength(1);
  });

  it('escapes hostile names, in page and plain text alike', async () => {
    const name = `<img src=x onerror=alert(1)> & "Evil" ${'W'.repeat(200)} \u202eמחק`;
    const moves = [{ ...move(1), entity_name: name }];
    const hostile = { ...facts, changes: { ...facts.changes, risk_tier_moves: moves } };
    const report = dailyBriefReport(hostile);
    const { html } = dailyBriefPayload(hostile, report);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp;');
    expect((await writeReport(report)).length).toBeGreaterThan(10_000);
  });

  it('of 500 issuers that moved stays within its limits: page, plain text, pages of paper', async () => {
    const many = Array.from({ length: 500 }, (_, i) => move(i));
    const stressed = many.map(({ ticker }) => ({ ...covenantStress.example, ticker }));
    const crowded = {
      ...facts,
      stressed,
      changes: { ...facts.changes, risk_tier_moves: many },
      risk: { filing, shown: distribution(500, { HIGH: { count: 500, percentage: 100 } }) },
    };
    const report = dailyBriefReport(crowded);
    const value = dailyBriefPayload(crowded, report);
    expect(value.html.length).toBeLessThan(400 * 1024);
    expect(value.copy_text.length).toBeLessThanOrEqual(12_000);
    expect(value.copy_text.endsWith(value.disclaimer)).toBe(true);
    expect(value.public_summary.top_stressed).toHaveLength(5);
    expect((await writeReport(report)).length).toBeLessThan(1024 * 1024);
  });

  it('counts in its summary what its text counts: companies of the universe, and others apart (M6.13)', () => {
    const universe_stats = { company_count: 12, new_company_count: 1, other_company_count: 97 };
    const told = { ...facts, changes: { ...facts.changes, universe_stats } };
    const { public_summary: summary, copy_text: text } = dailyBriefPayload(told, dailyBriefReport(told));
    expect(text).toContain(
      '12 companies of the universe changed filed facts, 1 of them new; outside it 97 companies did.',
    );
    expect(text).toContain('Companies with changed facts: 12 (1 of them new, 97 outside the universe)');
    expect(summary).toMatchObject({
      universe_count: 215,
      changed_company_count: 12,
      new_company_count: 1,
      other_company_count: 97,
    });
  });

  it('has both distributions in its summary, and says which the text counts', () => {
    const { public_summary: repriced } = dailyBriefPayload(facts, dailyBriefReport(facts));
    expect(repriced.risk_distribution).toEqual(repriced.live_risk_distribution);
    expect(repriced).toMatchObject({
      risk_distribution_basis: 'live',
      row_count: facts.risk.shown.meta.total,
    });
    expect(repriced.filed_risk_distribution.CRITICAL).toEqual(filing.CRITICAL);
    const still = { ...facts, risk: { shown: filing, filing: null } };
    expect(dailyBriefPayload(still, dailyBriefReport(still)).public_summary).toMatchObject({
      risk_distribution_basis: 'filing',
      live_risk_distribution: null,
    });
  });

  it('has a hash that a reader can make again from the payload', async () => {
    const { market_regime, public_summary, sections, evidence_hash } = dailyBriefPayload(
      facts,
      dailyBriefReport(facts),
    );
    const { createHash } = await import('node:crypto');
    const sorted = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sorted)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(
              Object.entries(value)
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([k, v]) => [k, sorted(v)]),
            )
          : value;
    const text = JSON.stringify(sorted({ market_regime, public_summary, sections }));
    expect(createHash('sha256').update(text).digest('hex')).toBe(evidence_hash);
  });
});

it('the daily brief tells the newest report of the week with the age of the live coins, and no older one (M17.33)', () => {
  const reported = (known_on: string) => ({
    ...covenantStress.example,
    live_units_age_days: 6,
    reported_events: [
      {
        ...{
          kind: 'bought' as const,
          text: 'bought 855 BTC, 2026-02-01; holds 713,502',
          as_of: '2026-02-01',
        },
        ...{ known_on, accession_number: '0001193125-26-032731', place: '8-K#39' },
        filing_url: 'https://www.sec.gov/',
      },
    ],
  });
  const card = (known_on: string) =>
    said({ stressed: [reported(known_on)] }).cards.find(({ id }) => id === 'reported')?.paragraphs;
  expect(card('2026-02-02')).toEqual([
    'MSTR, 2026-02-02: bought 855 BTC, 2026-02-01; holds 713,502; live coins 6 days old (0001193125-26-032731).',
  ]);
  expect(card('2026-01-31')).toBeUndefined();
});
