import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type CapitalFiling, capitalFilings } from '../../fixtures/builders/capitalTables.ts';
import { readPrices } from '../../fixtures/builders/readTables.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { composeSlice } from '../composeSlice.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { IssuerInputs } from '../filing/rows.ts';
import { positionIssuer } from '../position/positionIssuer.ts';
import { priceBook } from '../prices/priceBook.ts';
import { capitalOn } from '../slice/capitalOn.ts';
import type { Capital } from './capital.ts';

const parameters = registryParameters;
const closes = (await readPrices()).map((row) => ({ ...row, close: Number(row.close) }));
const prices = priceBook(closes, parameters);
const filings = await capitalFilings();

const positionOf = (inputs: IssuerInputs) =>
  positionIssuer(inputs, { sourceDate: inputs.filing.filed, prices, parameters });

function capitalOf(inputs: IssuerInputs): Capital {
  const { filed } = inputs.filing;
  return capitalOn(positionOf(inputs), { sourceDate: filed, prices, liveCoins: null });
}

function reordered({ inputs }: CapitalFiling, mixed: <T>(list: readonly T[]) => T[]): IssuerInputs {
  const { xbrl } = inputs;
  if (xbrl === null) throw new Error('a filing of the tables has facts');
  return { ...inputs, xbrl: { ...xbrl, facts: mixed(xbrl.facts), terms: mixed(xbrl.terms ?? []) } };
}

const backwards = <T>(list: readonly T[]) => list.toReversed();
const everySeventh = <T>(list: readonly T[]) =>
  [0, 1, 2, 3, 4, 5, 6].flatMap((first) => list.filter((_, i) => i % 7 === first));
const text = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof ExactDecimal ? part.toString() : part));
const zero = ExactDecimal.zero;

describe.each(filings)('laws of capital (M18.91): $stem', (filing) => {
  const capital = capitalOf(filing.inputs);
  const { maturities, shares, coinFlows, claims, instruments } = capital;

  it('buckets of the entity and what is unallocated are the total', () => {
    const own = maturities.buckets.filter(({ instrumentId }) => instrumentId === null);
    if (own.length === 0) return expect(maturities.bucketUnallocated).toBe(null);
    const sum = sumOf(own.map(({ amount }) => amount)).plus(maturities.bucketUnallocated ?? zero);
    expect(sum).toEqual(maturities.total);
  });

  it('what is paid and what is left are the pool; nobody gets more after a deeper fall', () => {
    for (const { pool, lines } of claims) {
      const paid = lines.reduce((total, line) => total + (line.paid?.toNumber() ?? 0), 0);
      expect(Math.abs(paid - pool.toNumber())).toBeLessThan(0.01);
    }
    const rates = (lens: string, kind: string) =>
      claims
        .filter((one) => one.lens === lens)
        .flatMap(({ lines }) => lines.find((line) => line.class === kind)?.recovery ?? []);
    for (const { lens, lines } of claims) {
      for (const { class: kind } of lines) {
        expect(rates(lens, kind)).toEqual(rates(lens, kind).toSorted((a, b) => b - a));
      }
    }
  });

  it('fully diluted shares are at least those outstanding', () => {
    const { fullyDiluted, outstanding } = shares;
    if (fullyDiluted.value === null || outstanding.value === null) return;
    expect(fullyDiluted.value.compare(outstanding.value)).toBeGreaterThanOrEqual(0);
  });

  it('opening, rows and residual are the closing amount; pledged, restricted and free coins those held', () => {
    for (const { opening, rows, residual, closing } of coinFlows.flows) {
      expect(sumOf([opening, ...rows.map(({ amount }) => amount), residual])).toEqual(closing);
    }
    for (const { units, pledged, restricted, free } of coinFlows.stocks) {
      if (units.value === null || free.value === null) continue;
      // a pledge and a restriction of equal units are one
      const bound = [pledged.value ?? zero, restricted.value ?? zero];
      const isOne = bound[0]?.equals(bound[1] ?? zero) === true;
      const taken = isOne ? (bound[0] ?? zero) : sumOf(bound);
      expect(free.value.plus(taken)).toEqual(units.value);
    }
  });

  it('a proven figure names its facts', () => {
    const proven = instruments.found.map(({ principal }) => principal).filter((one) => one.value !== null);
    for (const { status, facts } of proven) if (status === 'proven') expect(facts.length).toBeGreaterThan(0);
  });

  it('the order of facts and terms changes nothing', () => {
    const expected = text(capital);
    for (const mixed of [backwards, everySeventh]) {
      expect(text(capitalOf(reordered(filing, mixed))) === expected).toBe(true);
    }
  });

  it('a fault of the filed part costs nothing of the position but itself (M18.80)', () => {
    const broken = {
      ...filing.inputs,
      get earlier(): never {
        throw new RangeError('no such member');
      },
    };
    const [sound, faulty] = [positionOf(filing.inputs), positionOf(broken)];
    expect(faulty.capital).toEqual({ fault: 'no such member' });
    expect(text({ ...faulty, capital: null })).toBe(text({ ...sound, capital: null }));
    const { filed } = filing.inputs.filing;
    const context = { sourceDate: filed, asOf: `${filed}T23:00:00Z`, backfilled: false, prices, parameters };
    const [row, own] = [sound, faulty].map((one) => composeSlice([one], { context, history: [] }).issuers[0]);
    expect(text(own?.stress)).toBe(text(row?.stress));
    expect(own?.capital).toEqual({ capital: null, fault: new RangeError('no such member') });
  });

  it('without the capital every other part of a slice is the same (M18.92)', () => {
    const { filed } = filing.inputs.filing;
    const context = {
      ...{ sourceDate: filed, asOf: `${filed}T23:00:00Z`, backfilled: false, prices, parameters },
    };
    const position = positionOf(filing.inputs);
    const empty = capitalOf({ ...filing.inputs, xbrl: null });
    if ('fault' in position.capital) throw new Error(position.capital.fault);
    const others = (one: typeof position) => {
      const { issuers, ...slice } = composeSlice([one], { context, history: [] });
      return text([
        slice.covenantRows,
        slice.alphaSignals,
        slice.board.map(({ row }) => row),
        slice.riskDistribution,
        slice.peerRankings,
        slice.readiness,
        slice.topStressed,
        issuers.map(({ stress, fundamentals, trail }) => [stress, fundamentals, trail]),
      ]);
    };
    expect(
      others({ ...position, capital: { ...position.capital, ...empty, runway: position.capital.runway } }),
    ).toBe(others(position));
  });
});
