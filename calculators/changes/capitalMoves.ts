import { proofWords } from '../../data/contract/meanings/capitalWords.ts';
import type { CapitalPayload } from '../../data/contract/payloads/issuer/capital.ts';
import type { CapitalFigure } from '../../data/contract/payloads/issuer/capitalParts.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { grouped } from '../exact/decimals.ts';

/** The kinds of line about a capital structure, in the order they are reported (M18.85). */
export const capitalMoveKinds = [
  'instrument_new',
  'instrument_gone',
  'principal_changed',
  'maturity_near',
  'preferred_changed',
  'shares_moved',
  'shortfall_moved',
] as const;
export type CapitalMoveKind = (typeof capitalMoveKinds)[number];

/** One line: what moved, from what to what, and how well the new figure is proven. */
export type CapitalMove = {
  readonly ticker: string;
  readonly cik: string;
  readonly kind: CapitalMoveKind;
  /** Instrument, class of preferred stock, `shares` or `cash`. */
  readonly subject: string;
  readonly name: string;
  readonly prior_value: ExactDecimal | string | null;
  readonly new_value: ExactDecimal | string | null;
  /** Status of the newer figure, or why it is null. */
  readonly proof: string;
  readonly text: string;
  readonly accession_number: string;
};

type Dated = { readonly kind: 'due' | 'put' | 'springing'; readonly date: string };

/** What a published capital structure says, as far as it is compared from slice to slice. */
export type CapitalStanding = {
  readonly sourceDate: string;
  readonly accession: string;
  readonly instruments: readonly {
    readonly id: string;
    readonly name: string;
    readonly currency: string;
    readonly principal: CapitalFigure;
    readonly dates: readonly Dated[];
  }[];
  /** Smallest ones may be excluded: a missing one is then no news. */
  readonly isShortened: boolean;
  readonly preferred: readonly {
    readonly id: string;
    readonly name: string;
    readonly claim: CapitalFigure;
  }[];
  readonly shares: CapitalFigure;
  readonly sharesAsOf: string;
  readonly splits: CapitalPayload['shares']['splits'];
  readonly shortfall: CapitalFigure;
};

/** What of a published capital structure is compared. */
export function capitalStanding(row: CapitalPayload): CapitalStanding {
  return {
    sourceDate: row.source_date,
    accession: row.accession_number,
    instruments: row.instruments
      .filter(({ state }) => state === 'outstanding')
      .map(({ id, name, currency, principal, ...one }) => ({
        id,
        name,
        currency,
        principal,
        dates: [
          ...datesOf('due', one.maturity_date),
          ...datesOf('put', one.put_date),
          ...datesOf('springing', one.springing_maturity_date),
        ],
      })),
    isShortened: row.notes.includes('shortened:facts'),
    preferred: row.preferred.map(({ class: id, name, claim }) => ({ id, name, claim })),
    shares: row.shares.outstanding,
    sharesAsOf: row.shares.as_of,
    splits: row.shares.splits,
    shortfall: row.runway.first_shortfall_month,
  };
}

function datesOf(kind: Dated['kind'], figure: CapitalFigure): Dated[] {
  const value = figure?.value ?? null;
  return typeof value === 'string' ? [{ kind, date: value }] : [];
}

type Holder = { readonly ticker: string; readonly cik: string; readonly capital: CapitalStanding | null };

/**
 * The lines of one issuer (M18.85): of figures where another filing came into force, of a date where it enters the next
 * twelve months, of the month the cash falls short where it appears, goes or is another.
 */
export function capitalMoves(now: Holder, before: Holder | null): CapitalMove[] {
  const [is, was] = [now.capital, before?.capital ?? null];
  if (is === null || was === null) return [];
  const own = { ticker: now.ticker, cik: now.cik, accession_number: is.accession };
  const filed = is.accession === was.accession ? [] : filedMoves(is, was);
  const moves = [...filed, ...nearMoves(is, was), ...shortfallMoves(is, was)].map((one) => ({
    ...own,
    ...one,
  }));
  return moves.toSorted(
    (a, b) =>
      capitalMoveKinds.indexOf(a.kind) - capitalMoveKinds.indexOf(b.kind) ||
      compareText(a.subject, b.subject),
  );
}

type Line = Omit<CapitalMove, 'ticker' | 'cik' | 'accession_number'>;
type Figures = { readonly now: CapitalFigure; readonly was: CapitalFigure };

/** A line on a figure, from what to what, with how well the newer one is proven. */
function lineOf(
  kind: CapitalMoveKind,
  of: Pick<Line, 'subject' | 'name' | 'text'>,
  { now, was }: Figures,
): Line {
  return { kind, ...of, prior_value: exactOf(was), new_value: exactOf(now), proof: proofWords(now) };
}

function filedMoves(is: CapitalStanding, was: CapitalStanding): Line[] {
  const before = new Map(was.instruments.map((one) => [one.id, one]));
  const now = new Set(is.instruments.map(({ id }) => id));
  const gone = is.isShortened ? [] : was.instruments.filter(({ id }) => !now.has(id));
  return [
    ...is.instruments.flatMap((one): Line[] => {
      const prior = before.get(one.id);
      const figures = { now: one.principal, was: prior?.principal ?? null };
      const line = (kind: CapitalMoveKind, text: string) => [
        lineOf(kind, { subject: one.id, name: one.name, text }, figures),
      ];
      if (prior === undefined) {
        return was.isShortened ? [] : line('instrument_new', `new: ${one.name}, principal ${owedWords(one)}`);
      }
      const [owed, older] = [exactOf(figures.now), exactOf(figures.was)];
      if (owed === null || older === null || owed.equals(older)) return [];
      const text = `${one.name}: principal ${owedWords(one)}, before ${grouped(older)}`;
      return line('principal_changed', text);
    }),
    ...gone.map((one) => {
      const text = `repaid, converted or no longer filed: ${one.name}, principal before ${owedWords(one)}`;
      const figures = { now: null, was: one.principal };
      return lineOf('instrument_gone', { subject: one.id, name: one.name, text }, figures);
    }),
    ...preferredMoves(is, was),
    ...shareMoves(is, was),
  ];
}

function preferredMoves(is: CapitalStanding, was: CapitalStanding): Line[] {
  const before = new Map(was.preferred.map((one) => [one.id, one]));
  const now = new Map(is.preferred.map((one) => [one.id, one]));
  const ids = [...new Set([...before.keys(), ...now.keys()])].sort(compareText);
  return ids.flatMap((id): Line[] => {
    const [one, prior] = [now.get(id), before.get(id)];
    const [value, older] = [exactOf(one?.claim ?? null), exactOf(prior?.claim ?? null)];
    const name = one?.name ?? prior?.name ?? id;
    const moved = String(value) !== String(older);
    if (!moved && (one === undefined) === (prior === undefined)) return [];
    const figures = { now: one?.claim ?? null, was: prior?.claim ?? null };
    const proof = proofWords(figures.now);
    const shown = value === null ? proof : `${grouped(value)}, ${proof}`;
    const text = `${name}: claim ${shown}, before ${older === null ? 'not filed as a fact' : grouped(older)}`;
    return [lineOf('preferred_changed', { subject: id, name, text }, figures)];
  });
}

/** A share count is news from one percent on, on the basis of the newer count (M18.85). */
const leastShareMove = 0.01;

function shareMoves(is: CapitalStanding, was: CapitalStanding): Line[] {
  const [now, older] = [exactOf(is.shares), exactOf(was.shares)];
  if (now === null || older === null || older.sign <= 0) return [];
  const split = is.splits
    .filter(({ date }) => date > was.sharesAsOf && date <= is.sharesAsOf)
    .reduce((product, { ratio }) => product * ratio, 1);
  const growth = now.toNumber() / (older.toNumber() * split) - 1;
  if (Math.abs(growth) < leastShareMove) return [];
  const proof = proofWords(is.shares);
  const percent = `${growth > 0 ? '+' : '−'}${(Math.abs(growth) * 100).toFixed(1)} %`;
  const basis = split === 1 ? '' : ' on one split basis';
  const text = `shares outstanding ${grouped(now)}, ${proof}, ${percent}${basis} against ${was.sharesAsOf}`;
  const of = { subject: 'shares', name: 'common shares outstanding', text };
  return [lineOf('shares_moved', of, { now: is.shares, was: was.shares })];
}

/** Dates that are less than twelve months away now and were not before. */
function nearMoves(is: CapitalStanding, was: CapitalStanding): Line[] {
  const before = new Map(was.instruments.map((one) => [one.id, one]));
  const words = { due: 'due', put: 'holders may ask for repayment', springing: 'due under a condition' };
  return is.instruments.flatMap((one) =>
    one.dates.flatMap(({ kind, date }): Line[] => {
      const prior = before.get(one.id)?.dates.find((other) => other.kind === kind) ?? null;
      const wasNear = prior !== null && isNear(prior.date, was.sourceDate);
      if (!isNear(date, is.sourceDate) || wasNear) return [];
      const text = `within twelve months: ${one.name} ${words[kind]} on ${date}, principal ${owedWords(one)}`;
      const of = { subject: `${one.id}:${kind}`, name: one.name, text };
      return [{ ...lineOf('maturity_near', of, { now: one.principal, was: null }), new_value: date }];
    }),
  );
}

function isNear(date: string, day: string): boolean {
  const year = Number(day.slice(0, 4)) + 1;
  return date >= day && date <= `${String(year).padStart(4, '0')}${day.slice(4)}`;
}

function shortfallMoves(is: CapitalStanding, was: CapitalStanding): Line[] {
  const [now, older] = [monthOf(is.shortfall), monthOf(was.shortfall)];
  if (now === older || is.shortfall === null || was.shortfall === null) return [];
  const proof = proofWords(is.shortfall);
  const text =
    now === null
      ? `cash falls short in no month of the next 60, before ${older}`
      : `cash falls short in ${now}, ${proof}${older === null ? '' : `, before ${older}`}`;
  const of = { subject: 'cash', name: 'first month short', text };
  return [{ kind: 'shortfall_moved', ...of, prior_value: older, new_value: now, proof }];
}

function monthOf(figure: CapitalFigure): string | null {
  const value = figure?.value ?? null;
  return typeof value === 'string' && value !== 'none_in_60' ? value : null;
}

function owedWords({ principal, currency }: { principal: CapitalFigure; currency: string }): string {
  const owed = exactOf(principal);
  return owed === null ? proofWords(principal) : `${grouped(owed)} ${currency}, ${proofWords(principal)}`;
}

function exactOf(figure: CapitalFigure): ExactDecimal | null {
  const value = figure?.value ?? null;
  return value === null || typeof value === 'string' ? null : ExactDecimal.parse(value.toString());
}
