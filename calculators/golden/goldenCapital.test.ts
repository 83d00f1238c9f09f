import { describe, expect, it } from 'vitest';
import { capitalFilings } from '../../fixtures/builders/capitalTables.ts';
import {
  answerOf,
  type GoldenFigure,
  goldenFigures,
  verdictOf,
} from '../../fixtures/builders/goldenCapital.ts';
import { readPrices } from '../../fixtures/builders/readTables.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { sharedInputs, sharedInstances } from '../../fixtures/builders/sharedInstances.ts';
import type { Capital } from '../capital/capital.ts';
import type { IssuerInputs } from '../filing/rows.ts';
import { positionIssuer } from '../position/positionIssuer.ts';
import { priceBook } from '../prices/priceBook.ts';
import { stockBook } from '../prices/stockBook.ts';
import { capitalOn } from '../slice/capitalOn.ts';

const parameters = registryParameters;
const closes = (await readPrices()).map((row) => ({ ...row, close: Number(row.close) }));
const prices = priceBook(closes, parameters);
const figures = goldenFigures();
const filings = await capitalFilings();
const instances = sharedInstances();

/** Closes of 2025-09-30 at which the ratios to net asset value were worked out. */
const stocks = stockBook(
  [
    ['BTCS', 4.83],
    ['KULR', 4.16],
    ['LITS', 2.42],
  ].map(([ticker, close]) => ({
    ...{ ticker: String(ticker), date: '2025-09-30', close: Number(close), source: 'hand', licence: null },
  })),
  new Map(),
);

/** The capital of a filing on its balance-sheet day. */
function capitalOf(inputs: IssuerInputs): Capital {
  const { period, filed } = inputs.filing;
  const position = positionIssuer(inputs, { sourceDate: filed, prices, parameters });
  return capitalOn(position, { sourceDate: period, prices, stocks, liveCoins: null });
}

/** One line a figure: what came out against what was worked out. */
function linesOf(capital: Capital, rows: readonly GoldenFigure[]): string[] {
  return rows.map((row) => {
    const answer = answerOf(capital, row);
    const verdict = verdictOf(row, answer);
    const got = answer.value ?? answer.reason;
    return `${verdict}: ${row.figure} ${row.subject} is ${row.value}${verdict === 'right' ? '' : `, not ${got}`}`;
  });
}

const rightOnly = (rows: readonly GoldenFigure[]) =>
  rows.map((row) => `right: ${row.figure} ${row.subject} is ${row.value}`);

describe('capital worked out by hand (M18)', () => {
  it('are 192 figures of twelve filings', () => {
    expect([figures.length, new Set(figures.map(({ stem }) => stem)).size]).toEqual([192, 12]);
    expect(filings.map(({ stem }) => stem).sort()).toEqual(
      [...new Set(figures.map(({ stem }) => stem))].sort(),
    );
  });

  it.each(filings)('$stem: every figure from the facts quoted', ({ stem, inputs }) => {
    const rows = figures.filter((row) => row.stem === stem);
    expect(linesOf(capitalOf(inputs), rows)).toEqual(rightOnly(rows));
  });

  for (const { stem, inputs } of filings) {
    it(`${stem}: the same from the whole instance, which states every fact quoted`, async (ctx) => {
      const instance = instances?.find((one) => one.stem === stem);
      if (instance === undefined) return ctx.skip('no ../shared/data/edgar/instances');
      const rows = figures.filter((row) => row.stem === stem);
      const whole = await sharedInputs(instance);
      expect(linesOf(capitalOf(whole), rows)).toEqual(rightOnly(rows));
      const stated = new Set(whole.xbrl?.facts.map(textOf));
      expect(inputs.xbrl?.facts.map(textOf).filter((text) => !stated.has(text))).toEqual([]);
    });
  }

  it('MSTR 2024-03-31 has the conversion price of its notes of 2025 from the filing of 2021 alone (M18.90)', () => {
    const inputsOf = (stem: string) => {
      const inputs = filings.find((one) => one.stem === stem)?.inputs;
      if (inputs === undefined) throw new Error(`no table of ${stem}`);
      return inputs;
    };
    const now = inputsOf('mstr-20240331');
    const { filing, xbrl } = inputsOf('mstr-20210331');
    const { accession, period } = filing;
    const earlier = [{ accession, period, facts: xbrl?.facts ?? [], terms: xbrl?.terms ?? [] }];
    const noteOf = (inputs: IssuerInputs) =>
      capitalOf(inputs).instruments.found.find(({ members }) =>
        members.some((member) => member.endsWith(':ConvertibleSeniorNotesDueTwentyTwentyFiveMember')),
      );
    const terms = (inputs: IssuerInputs) => {
      const note = noteOf(inputs);
      return [
        note?.conversionPrice.value?.toString(),
        note?.termsAccession,
        note?.principal.value?.toString(),
      ];
    };
    expect(terms(now)).toEqual([undefined, null, '650000000']);
    expect(terms({ ...now, earlier })).toEqual(['397.99', '0001564590-21-021949', '650000000']);
    // what follows from it is computed, what was owed then is not read
    expect(noteOf({ ...now, earlier })?.carryingAmount).toEqual(noteOf(now)?.carryingAmount);
  });
});

type Fact = NonNullable<IssuerInputs['xbrl']>['facts'][number];

function textOf({ concept, unit, value, decimals, start, end, dimensions }: Fact): string {
  const members = dimensions.map(({ axis, member }) => `${axis}=${member}`).sort();
  return [concept, unit, value, decimals, start, end, ...members].join(' ');
}
