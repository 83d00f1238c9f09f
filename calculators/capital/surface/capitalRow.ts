import type { CapitalPayload } from '../../../data/contract/payloads/issuer/capital.ts';
import type { CapitalFactRow, CapitalFigure } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import * as parts from '../../../data/contract/payloads/issuer/capitalParts.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import type { DebtCoverage } from '../../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { filingUrl } from '../../../data/contract/values/filingUrl.ts';
import type { Capital } from '../capital.ts';
import type { CapitalFact, Figure } from '../figure.ts';
import type { CamelCase, Instrument } from '../parts.ts';
import { shortened } from './shortenedRow.ts';

/** Whose capital it is, and what its balance sheet says of debt. */
export type CapitalSubject = {
  readonly issuer: { readonly cik: string; readonly ticker: string | null; readonly entityName: string };
  readonly debtCoverage: DebtCoverage;
  readonly computedAt: string;
};

/** Share of coins in total assets that a proposal of an index provider asks about (M18.49). */
const indexThreshold = 0.5;

/** The capital structure of an issuer as it is stored: below 20 kB, each fact once (I2.71–I2.73). */
export function capitalRow(capital: Capital, subject: CapitalSubject): CapitalPayload {
  return shortened(capital, (kept) => wholeCapitalRow(kept, subject));
}

/** All of it, however long: what tables are made of. */
export function wholeCapitalRow(
  capital: Capital,
  { issuer, debtCoverage, computedAt }: CapitalSubject,
): CapitalPayload {
  const { accession, period, sourceDate, maturities, preferred, instruments } = capital;
  const { row, facts, members } = rowWriter({ period, currency: instruments.currency });
  const { cik } = issuer;
  return {
    source_date: sourceDate,
    cik,
    ticker: issuer.ticker ?? cik,
    entity_name: issuer.entityName,
    accession_number: accession,
    filing_url: filingUrl({ cik, accession }),
    period,
    computed_at_utc: computedAt,
    absent: capital.absent,
    currency: instruments.currency,
    instruments_absent:
      instruments.found.length > 0 ? null : debtCoverage === 'resolved_zero' ? 'none' : 'not_filed',
    instruments: instruments.found.toSorted(byState).map((one) => row(parts.instrument, one)),
    stack: row(parts.stack, instruments.stack),
    maturities: row(parts.maturities, maturities),
    preferred: preferred.classes.map((one) =>
      row(parts.preferredClass, {
        ...one,
        class: one.id,
        dividendsDeclaredMonths: one.dividendsDeclared?.months ?? null,
      }),
    ),
    shares: row(parts.shares, {
      ...capital.shares,
      byClass: capital.shares.byClass.map(({ id, count }) => ({ class: id, count })),
    }),
    claims: capital.claims.map((one) => row(parts.claims, one)),
    claims_absent: capital.claimsAbsent,
    // without the close itself: multiples and its day are published, closes are not
    nav: capital.nav.map((one) => row(parts.nav, { ...one, indexThreshold })),
    runway: row(parts.runway, capital.runway),
    coin_flows: capital.coinFlows.flows.map((flow) =>
      row(parts.coinFlow, { ...flow, members: flow.dimensions.map(({ member }) => member) }),
    ),
    coin_stocks: capital.coinFlows.stocks.map((stock) => row(parts.coinStock, stock)),
    notes: [...new Set([...capital.notes, ...instruments.notes, ...capital.coinFlows.notes])].sort(
      compareText,
    ),
    members: members(),
    facts: facts(),
  };
}

/** What a cell of a row is written from: a figure from one with its facts, a place from the fact, an object by its names. */
type Source<Cell> = [CapitalFigure] extends [Cell]
  ? Figure | Figure<number> | Figure<string> | null
  : Cell extends readonly (infer One)[]
    ? readonly ([One] extends [number] ? CapitalFact : Source<One>)[]
    : Cell extends ExactDecimal | string | boolean | null
      ? Cell
      : Cell extends number
        ? Cell | CapitalFact
        : { readonly [Name in keyof Cell & string as CamelCase<Name>]: Source<Cell[Name]> };
type Schema<Row> = { readonly shape: Readonly<Record<string, unknown>>; readonly _output: Row };

/**
 * Writes parts of the payload from objects whose members have the contract's names in camel case, in the contract's order:
 * figures with the places of their facts, each fact in one list.
 */
function rowWriter(whole: { readonly period: string; readonly currency: string | null }) {
  const rows: CapitalFactRow[] = [];
  const places = new Map<string, number>();
  const members = new Map<string, number>();
  const memberPlace = (member: string): number => {
    const known = members.get(member) ?? members.size;
    members.set(member, known);
    return known;
  };
  const place = (fact: CapitalFact): number => {
    const row = factRow(fact, { ...whole, memberPlace });
    const key = JSON.stringify(row);
    const known = places.get(key) ?? rows.length;
    if (known === rows.length) {
      places.set(key, known);
      rows.push(row);
    }
    return known;
  };
  const figure = (of: Figure | Figure<number> | Figure<string>): CapitalFigure => {
    const facts = [...new Set(of.facts.map(place))];
    if (of.value !== null) {
      const { value, status, basis } = of;
      return { value, status, basis, ...(facts.length === 0 ? {} : { facts }) };
    }
    const { reason, part } = of;
    if (reason === 'not_filed' && part === undefined && facts.length === 0) return null;
    return {
      value: null,
      null_reason: reason,
      ...(part === undefined ? {} : { part }),
      ...(facts.length === 0 ? {} : { facts }),
    };
  };
  const cell = (field: unknown, value: unknown): unknown => {
    if (Array.isArray(value)) {
      const { element } = field as { readonly element: unknown };
      return value.map((one) => cell(element, one));
    }
    if (value === null || typeof value !== 'object' || value instanceof ExactDecimal) return value;
    if ('concept' in value) return place(value as CapitalFact);
    if ('value' in value && 'facts' in value) return figure(value as Figure);
    const { shape } = field as Schema<unknown>;
    const source = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      Object.entries(shape).map(([name, inner]) => [name, cell(inner, source[camelCase(name)])]),
    );
  };
  const row = <Row>(schema: Schema<Row>, source: Source<NoInfer<Row>>): Row => cell(schema, source) as Row;
  return { row, facts: () => rows, members: () => [...members.keys()] };
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What holds for most facts stands once: the period end, the currency, a member's name. */
function factRow(
  { concept, value, unit, start, end, dimensions }: CapitalFact,
  {
    period,
    currency,
    memberPlace,
  }: { period: string; currency: string | null; memberPlace: (member: string) => number },
): CapitalFactRow {
  return {
    concept,
    ...(start === null ? {} : { start }),
    ...(end === period ? {} : { date: end }),
    ...(dimensions.length === 0 ? {} : { members: dimensions.map(({ member }) => memberPlace(member)) }),
    value: value.toString(),
    ...(unit === null || unit === currency ? {} : { unit }),
  };
}

const stateOrder = ['outstanding', 'unconfirmed', 'dated_only', 'subsequent', 'aggregate', 'not_outstanding'];

function byState(a: Instrument, b: Instrument): number {
  const size = (one: Instrument) => one.principal.value ?? one.carryingAmount.value ?? ExactDecimal.zero;
  return (
    stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state) ||
    size(b).compare(size(a)) ||
    compareText(a.id, b.id)
  );
}

/** What a published capital structure does not say of how it was found (M18.87). */
type CapitalTrail = {
  /** Members that were joined into one instrument, with the letters of the joins. */
  readonly joined: readonly Pick<Instrument, 'id' | 'members' | 'joins'>[];
  readonly refused: Capital['instruments']['refused'];
};

export function capitalTrail({ instruments: { found, refused } }: Capital): CapitalTrail {
  return {
    joined: found
      .filter(({ members }) => members.length > 1)
      .map(({ id, members, joins }) => ({ id, members, joins })),
    refused,
  };
}
