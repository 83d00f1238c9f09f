import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MarketRegime, marketRegimes, type Velocity } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { goldenFieldMap, goldenFieldMapRows } from '../../fixtures/builders/goldenFieldMap.ts';
import {
  goldenContext,
  goldenDailyCloses,
  goldenPositions,
  goldenParameters as parameters,
} from '../../fixtures/builders/goldenSlice.ts';
import { readReferenceCases } from '../../pipeline/backtest/runBacktest.ts';
import { composeGraded, type IssuerResult, type Slice } from '../composeSlice.ts';
import { priceBook } from '../prices/priceBook.ts';
import { regimeBook } from '../regime/marketRegime.ts';
import { treasuryRelevance } from '../relevance/treasuryRelevance.ts';
import { towerState } from '../slice/towerState.ts';
import { assessStress } from '../stress/assessStress.ts';
import { chargeLevel, stressBand } from '../stress/stressRatio.ts';

// Every table of worked figures is made again by the calculators, to the printed digit.
const bookOf = (name: string) => readFileSync(new URL(`../${name}.md`, import.meta.url), 'utf8');
const book = bookOf('WORKED');

/** The body of the table under this header, as lines of the book. */
function printedUnder(header: string): string[] {
  const lines = book.split('\n');
  const head = lines.findIndex((line) => line.startsWith(header));
  const end = lines.findIndex((line, i) => i > head && !line.startsWith('|'));
  if (head < 0) throw new Error(`WORKED prints no table ${header}`);
  return lines.slice(head + 2, end);
}

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const signed = (text: string) => text.replace('-', '−');
const fixed = (value: number | null | undefined, digits: number) =>
  value == null ? '—' : signed(value.toFixed(digits));
const grouped = (value: ExactDecimal | number | null | undefined) =>
  String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const usd = (text: string) => ExactDecimal.parse(text.replaceAll(',', ''));

let slice: Slice;
/** In the order of the printed tables. */
let issuers: IssuerResult[];
beforeAll(async () => {
  slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
  issuers = goldenPositions().flatMap(({ issuer }) =>
    slice.issuers.filter(({ stress }) => stress.ticker === issuer.ticker),
  );
});

describe('tables of the thirteen golden issuers (M12.11)', () => {
  it('at their period ends', () => {
    const table = issuers.map(({ stress, assessed: { base } }) => {
      const { standing, figures } = base;
      return row(
        stress.ticker,
        ...[stress.stress_30pct, stress.stress_50pct, stress.stress_70pct].map((x) => fixed(x, 6)),
        ...[figures.covenant?.headroom, figures.covenant?.breachProbability].map((x) => fixed(x, 6)),
        ...[figures.covenant?.chargeLevel ?? '', figures.covenant?.dischargeRisk ?? ''],
        ...zOf(standing),
        ...[standing?.resonance ?? '', figures.riskTier],
      );
    });
    expect(table).toEqual(printedUnder('| Ticker | s30'));
  });

  it('at the closes of 2026-02-07', () => {
    expect(issuers.map(liveRow)).toEqual(printedUnder('| Ticker | C_live'));
  });

  it('in alpha, with every part', () => {
    const parts = (of: object | undefined) => Object.values(of ?? {}).join(' / ');
    const table = issuers.map(({ stress: { ticker } }) => {
      const found = slice.alphaSignals.find((signal) => signal.ticker === ticker);
      return row(
        ...[ticker, `**${found?.alpha_score}**`],
        ...Object.values(found?.alpha_score_breakdown ?? {}).map(String),
        parts(found?.stress_resilience_breakdown),
        parts(found?.regime_fit_breakdown),
        parts(found?.treasury_strength_breakdown),
        ...[found?.treasury_strength ?? '', found?.research_posture ?? ''],
      );
    });
    expect(table).toEqual(printedUnder('| Ticker | alpha'));
  });

  function liveRow({ stress, assessed: { live } }: IssuerResult): string {
    const ranking = slice.peerRankings.find(({ ticker }) => ticker === stress.ticker);
    const reasons = live?.figures.tierReasons ?? [];
    const because = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    return row(
      ...[stress.ticker, grouped(stress.live_total_crypto_fair_value)],
      ...[stress.live_stress_50pct, live?.figures.covenant?.headroom].map((x) => fixed(x, 6)),
      ...[fixed(live?.figures.covenant?.breachProbability, 6), live?.figures.covenant?.chargeLevel ?? ''],
      ...[live?.standing?.ownZ, live?.standing?.mpZ].map((x) => fixed(x, 4)),
      live?.standing?.resonance ?? '',
      // the arrow starts at the band of the live ratio, before a notch
      `${stressBand(stress.live_stress_50pct ?? 0, parameters)} → ${live?.figures.riskTier}${because}`,
      ...[stress.live_stress_delta_24h, stress.live_stress_delta_7d].map((x) => fixed(x, 6)),
      ...[stress.stress_velocity ?? '', String(ranking?.peer_rank), fixed(ranking?.percentile, 2)],
    );
  }
});

function zOf(standing: IssuerResult['assessed']['base']['standing']): string[] {
  const { apZ, ecsZ, lsiZ, mpZ, ownZ, stZ } = standing ?? {};
  return [apZ, ecsZ, lsiZ, mpZ, ownZ, stZ].map((z) => fixed(z, 4));
}

it('labels the market on every printed day (M3.23)', async () => {
  const regimes = regimeBook({ prices: priceBook(await goldenDailyCloses(), parameters), parameters });
  const lines = printedUnder('| Date | Inputs | Raw');
  const table = lines.map((line) => {
    const date = line.slice(2, 12);
    const { inputs, raw, confirmed } = regimes.on(date);
    const { shortVolatility, longVolatility, momentum, trend, correlation } = inputs ?? {};
    const four = [shortVolatility, longVolatility, momentum, trend].map((x) => fixed(x, 4));
    return row(date, [...four, fixed(correlation, 3)].join(' / '), raw ?? '', confirmed ?? '');
  });
  expect(table).toHaveLength(15);
  expect(table).toEqual(lines);
});

it('draws the printed points of the field map of MSTR (M9.12)', async () => {
  const { prices } = await goldenContext();
  const { points } = goldenFieldMap(await goldenFieldMapRows(), prices);
  const lines = printedUnder('| Date | field_pressure');
  const table = lines.map((line) => {
    const p = points.find(({ date }) => date === line.slice(2, 12));
    return row(
      ...[p?.date ?? '', fixed(p?.field_pressure, 6), fixed(p?.stored_energy, 6)],
      ...[p?.E_total, p?.R_s, p?.delta_L].map((x) => fixed(x, 6)),
      ...[p?.compression, p?.release].map((x) => fixed(x, 0)),
      fixed(p?.price_echo, 6),
    );
  });
  expect(table).toEqual(lines);
});

it('gives each reference case its ratio, charge and tier (M12.1)', () => {
  const text = readFileSync(new URL('../../data/registry/reference-cases.csv', import.meta.url), 'utf8');
  const cases = readReferenceCases({ path: 'reference-cases.csv', text, parameters });
  const lines = printedUnder('| # | Issuer, date');
  expect(lines).toHaveLength(cases.length);
  const made = cases.map(({ ticker, stress50, tier }) => {
    const ratio = stress50 === 1000 ? '1000 (cap)' : stress50 === 0 ? '0' : fixed(stress50, 4);
    return [ticker, ratio, chargeLevel(stress50 ?? 0, parameters), tier].join(' ');
  });
  const printed = lines.map((line) => {
    const [, issuer = '', , , stress50, charge, tier] = line.slice(2).split(' | ');
    return [issuer.split(/[ –]/)[0], stress50, charge, tier].join(' ');
  });
  // the file is in order of dates within an issuer, the table tells stories
  expect(made.toSorted()).toEqual(printed.toSorted());
});

it('restates MSTR by what was known (M10.7)', () => {
  const lines = printedUnder('| source_date | Filing in force');
  for (const line of lines) {
    const [, , , debt = '', coins = '', stress50, band] = line.slice(2, -2).split(' | ');
    const figures = assessStress(
      { debt: usd(debt), crypto: usd(coins.split(' ')[0] ?? ''), equity: null, mix: [] },
      { proof: 'proven', unclassified: false, parameters },
    );
    expect(fixed(figures.stress50, 6)).toBe(stress50);
    expect(`${figures.riskTier}, ${figures.covenant?.chargeLevel}`).toBe(band);
  }
  expect(lines).toHaveLength(3);
});

it('says how much of an issuer its coins are (M3.25)', () => {
  // coins and assets of the balance sheets, USD
  const sheets: readonly (readonly [string, number, number])[] = [
    ['TSLA 2025-06-30', 1_235_000_000, 128_567_000_000],
    ['GAME 2025-09-30', 4_020_415, 121_119_259],
    ['CLSK 2025-06-30', 1_079_754_000, 3_101_817_000],
    ['BTBT 2025-09-30', 423_682_364, 1_133_084_610],
    ['RIOT 2025-09-30', 2_200_053_000, 4_478_816_000],
    ['FLD 2025-09-30', 179_688_082, 190_966_112],
    ['DFDV 2025-09-30', 453_719_000, 479_954_000],
    ['MSTR 2025-09-30', 73_205_725_000, 73_619_038_000],
    ['NXTT 2025-03-31', 481_717_253, 483_825_640],
  ];
  const lines = printedUnder('| Issuer, date | crypto_share').join('\n');
  for (const [issuer, coins, total] of sheets) {
    const [crypto, assets] = [ExactDecimal.fromNumber(coins), ExactDecimal.fromNumber(total)];
    const { share, word } = treasuryRelevance({ crypto, assets, basis: 'resolved' }, parameters);
    expect(lines).toContain(issuer.split(' ')[0]);
    expect(lines).toContain(`${fixed(share, 6)} ${word}`);
  }
});

it('keeps the tolerances and points of each regime (M5.5, M5.7)', () => {
  const rules = bookOf('METHODOLOGY');
  const [head = '', , tolerated, bonus] = rules
    .slice(rules.indexOf('| Regime | bullish_low_vol'))
    .split('\n');
  const { toleratedStress, regimeBonus } = parameters.alpha;
  const order = head.slice(2, -2).split(' | ').slice(1) as MarketRegime[];
  expect(order.toSorted()).toEqual([...marketRegimes].toSorted());
  expect(tolerated).toBe(row('τ', ...order.map((regime) => fixed(toleratedStress[regime], 2))));
  expect(bonus).toBe(row('B (M5.7)', ...order.map((regime) => String(regimeBonus[regime]))));
});

it('reads the tower fixtures (M12.11)', () => {
  const line = book.split('\n').find((text) => text.startsWith('Tower fixtures')) ?? '';
  const fixtures = [...line.matchAll(/(\d+)\/(\d+)\/(\d+) → ([^;.]*(?:\.\d+[^;.]*)?)/g)];
  expect(fixtures).toHaveLength(7);
  for (const [, rising, stable, falling, said] of fixtures) {
    const of = (direction: Velocity, n: string | undefined) =>
      Array.from({ length: Number(n) }, () => direction);
    const members = [...of('rising', rising), ...of('stable', stable), ...of('falling', falling)];
    const { coherence, status, modal } = towerState(members, parameters);
    const words = [coherence === null ? 'null' : fixed(coherence, 4), status];
    expect([...words, ...(modal === null ? [] : [modal])].join(', ')).toBe(said);
  }
});
