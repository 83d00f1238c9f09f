import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { grouped } from '../exact/decimals.ts';
import { divide, exactly, rounded } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import stated from './noteDoubts.json' with { type: 'json' };
import type { RaisedDoubt, ReviewedRow } from './reviewedRow.ts';

type Told = {
  /** What stands after the colon of the note; empty for a note without. */
  readonly value: string;
  readonly row: ReviewedRow;
  readonly parameters: Parameters;
};
type Doubt = Omit<RaisedDoubt, 'kind'>;
type Reading = (told: Told) => Doubt;

/** A doubt that the note itself words; `other` says which amount the figure would have instead. */
type StatedDoubt = {
  readonly figure: RaisedDoubt['figure'];
  /** `{value}` as the note has it, `{amount}` grouped, `{a}` and `{b}` the two of `a/b`, `{close}` a coin and its day. */
  readonly finding: string;
  /** The second of two, or what is published with the amount added or taken off. */
  readonly other?: 'second' | 'more' | 'less';
  readonly isProof?: boolean;
};
const statedDoubts = stated as Readonly<Record<string, StatedDoubt>>;

function readStated({ figure, finding, other, isProof }: StatedDoubt, { value, row }: Told): Doubt {
  const [a, b] = pair(value);
  const words: Readonly<Record<string, string>> = {
    ...{ value, amount: shown(value), a: shown(a), b: shown(b), close: value.replace(':', ' of ') },
  };
  const amount = amountOf(other === 'second' ? b : other === 'less' ? `-${value}` : value);
  const side = figure === 'debt' ? 'debt' : 'crypto';
  const total = amount === null || other === 'second' ? amount : row[side].plus(amount);
  return {
    figure,
    finding: finding.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? ''),
    ...(other === undefined || total === null
      ? {}
      : { other: side === 'debt' ? { debt: total } : { crypto: total } }),
    ...(isProof === undefined ? {} : { isProof }),
  };
}

/** Doubts that the row or a parameter words as well (M13.3). */
const doubting: Readonly<Record<string, Reading>> = {
  tier_depends_on_candidate: ({ value, row }) => {
    const [a, b] = pair(value);
    const words = `the tier is ${a} or ${b}, by the total that is taken`;
    return { ...(isDebtOpen(row) ? debt(words) : coins(words)), isProof: true, isRest: true };
  },
  implied_interest: ({ value, row, parameters }) => {
    const { maxRate } = parameters.impliedInterest;
    const rate = amountOf(value);
    const fitting =
      rate === null ? null : rounded(divide(exactly(row.debt.times(rate)), exactly(maxRate)), 0);
    const fits = fitting === null ? '' : `; such interest fits a debt of ${grouped(fitting)} or more`;
    return {
      ...debt(`interest is ${percent(value)} of debt a year, above ${maxRate * 100} %${fits}`),
      ...(fitting === null ? {} : { other: { debt: fitting } }),
      isProof: true,
    };
  },
  debt_line_unconfirmed: ({ value, row }) => {
    const root = row.trail?.ratio.children[0].children.find(({ concept }) => concept === value);
    const words = `${value} counts as debt, and nothing else in the filing says so`;
    if (root === undefined) return debt(words);
    return { ...debt(`${words}: ${grouped(root.value)}`), other: { debt: row.debt.minus(root.value) } };
  },
  carrying_below_principal: ({ parameters }) =>
    debt(`principal is more than ${parameters.principalExcess * 100} % above the carrying amount`),
  face_order_ambiguous: ({ value }) => ({
    ...(value === 'assets' ? coins : debt)(`the ${value} in document order add up in more than one way`),
  }),
  crypto_unproven: ({ value }) => {
    const other = amountOf(value);
    const isStated = other !== null && other.sign > 0;
    const words = isStated
      ? `coins are not proven; the largest amount stated is ${grouped(other)}`
      : 'coins are not proven, and no amount is stated';
    return { ...coins(words), ...(isStated ? { other: { crypto: other } } : {}), isProof: true };
  },
  price_conflict: ({ value, parameters }) =>
    coins(`two sources of the ${value} close differ by more than ${parameters.priceConflict * 100} %`),
  figures_lower_bound: ({ value, row }) => {
    const isDebt = value === 'debt';
    const total = row.trail?.ratio.children[isDebt ? 0 : 1];
    const why = total?.rungs.findLast(({ taken }) => !taken)?.reason;
    const words = `${isDebt ? 'debt' : 'coins'} of ${grouped(isDebt ? row.debt : row.crypto)} is a lower bound`;
    return {
      ...(isDebt ? debt : coins)(why === undefined ? words : `${words}: ${why}`),
      isProof: true,
      isRest: true,
    };
  },
};

/** The notes that raise a doubt. */
export const doubtingNotes: readonly string[] = [...Object.keys(statedDoubts), ...Object.keys(doubting)];

/** Notes about a close, the same for every row that would have read it; nothing to a row that proves to have no coins. */
export const closeNotes: readonly string[] = ['close_missing', 'close_refused'];

/** What the notes of a row question, in the order of the notes. */
export function noteDoubts(row: ReviewedRow, parameters: Parameters): RaisedDoubt[] {
  return row.notes.flatMap((note) => {
    const colon = note.indexOf(':');
    const [kind, value] = colon < 0 ? [note, ''] : [note.slice(0, colon), note.slice(colon + 1)];
    if (closeNotes.includes(kind) && hasNoCoins(row)) return [];
    const told = { value, row, parameters };
    const words = Object.hasOwn(statedDoubts, kind) ? statedDoubts[kind] : undefined;
    if (words !== undefined) return [{ kind, ...readStated(words, told) }];
    const reading = Object.hasOwn(doubting, kind) ? doubting[kind] : undefined;
    return reading === undefined ? [] : [{ kind, ...reading(told) }];
  });
}

function debt(finding: string) {
  return { figure: 'debt' as const, finding };
}

function coins(finding: string) {
  return { figure: 'coins' as const, finding };
}

function hasNoCoins({ crypto, basis }: ReviewedRow): boolean {
  return crypto.sign === 0 && (basis === 'resolved' || basis === 'debt_unproven');
}

function isDebtOpen({ basis }: ReviewedRow): boolean {
  return basis === 'debt_unproven' || basis === 'both_unproven';
}

function pair(value: string): [string, string] {
  const [a = '', b = ''] = value.split('/');
  return [a, b];
}

function amountOf(text: string): ExactDecimal | null {
  return ExactDecimal.tryParse(text);
}

function shown(text: string): string {
  const amount = amountOf(text);
  return amount === null ? text : grouped(amount);
}

function percent(text: string): string {
  const rate = amountOf(text);
  return rate === null ? text : `${rate.times(new ExactDecimal(100n, 0)).rounded(1)} %`;
}
