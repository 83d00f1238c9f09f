import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { StatedFact } from '../../crypto/statedFacts.ts';
import { divide, doubleOf, exactly, published, quotient } from '../../exact/fraction.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { TermFact } from '../../filing/xbrlFiling.ts';
import { distinctSplits, type Split } from '../../prices/splits.ts';
import { absentFigure, type Figure } from '../figure.ts';
import type { Instruments, PreferredStock, Shares } from '../parts.ts';
import { depositaryShares } from './depositaryShares.ts';
import { convertibleShares, type DilutionPart, sumOfParts } from './dilution.ts';
import { filedSplits } from './filedSplits.ts';
import { coverShares, outstandingShares, weightedAverage } from './shareCounts.ts';
import { type FactIndex, factIndex } from './statedFigure.ts';
import { hintsAt, type Options, restrictedUnits, stockOptions, type Units } from './stockAwards.ts';
import { hintsAtPrefunded, hintsAtWarrants, type Warrants, warrantsAt } from './warrants.ts';

/**
 * What a share is by one filing (M18.42–M18.46): counts of the balance sheet and the cover, what can become shares,
 * and the splits that bring counts and prices of two days to one basis.
 *
 * @param splits of the registry; those the filing states are joined to them
 */
export function resolveShares({
  filing: { period },
  facts,
  terms = [],
  instruments = null,
  preferred = null,
  splits: registered = [],
}: {
  readonly filing: { readonly period: string };
  readonly facts: readonly StatedFact[];
  readonly terms?: readonly TermFact[];
  readonly instruments?: Instruments | null;
  readonly preferred?: PreferredStock | null;
  readonly splits?: readonly Split[];
}): Shares {
  const index = factIndex(facts);
  const depositary = depositaryShares(terms);
  const splits = distinctSplits([...registered, ...filedSplits(index, terms)]);
  const { count, byClass } = outstandingShares(index, period);
  const cover = coverShares(index);
  const average = weightedAverage(index, period);
  const checked = checkCounts({
    outstanding: count,
    cover: cover.count,
    coverDate: cover.date,
    period,
    weightedAverage: average,
    redeemable: redeemableShares(preferred),
    splits,
  });
  const { outstanding } = checked;
  const options = stockOptions(index, period);
  const units = restrictedUnits(index, period);
  const warrants = warrantsAt({ index, terms, period });
  const parts = dilutionParts({ index, period, outstanding, options, units, warrants, instruments });
  const paidUp = parts.filter(({ name }) => name === 'prefunded');
  const fullyDiluted = sumOfParts(outstanding, { parts, basis: 'all_exercised' });
  const part = (name: string) => parts.find((one) => one.name === name)?.count ?? absentFigure('not_filed');
  const excluded = parts.filter(({ count: one, isHinted }) => one.value === null && !isHinted);
  return {
    depositary,
    outstanding,
    asOf: period,
    byClass,
    cover: cover.count,
    coverDate: cover.date,
    perShare: checked.perShare,
    perShareDate: checked.perShareDate,
    weightedAverage: average,
    prefunded: part('prefunded'),
    options: part('options'),
    optionPrice: options.price,
    optionGroups: options.groups,
    restrictedUnits: part('units'),
    restrictedAwards: units.awards,
    warrantsTotal: part('warrants'),
    warrants: warrants.classes,
    convertibleShares: part('converts'),
    basicPlusPrefunded: sumOfParts(outstanding, { parts: paidUp, basis: 'basic_plus_prefunded' }),
    fullyDiluted,
    splits,
    notes: [
      ...(depositary === null ? [] : [`ordinary_shares_per_ads:${depositary.ordinaryShares ?? 'unknown'}`]),
      ...checked.notes,
      ...units.notes,
      ...warrants.notes,
      ...parts.flatMap(({ slipped }) => (slipped === undefined ? [] : [`scale_error:${slipped}`])),
      ...(fullyDiluted.value === null || excluded.length === 0
        ? []
        : [`not_filed:${excluded.map(({ name }) => name).join(',')}`]),
    ],
  };
}

/** What can become shares, part by part; a part that the filing neither counts nor hints at stays in with no count. */
function dilutionParts({
  index,
  period,
  outstanding,
  options,
  units,
  warrants,
  instruments,
}: {
  readonly index: FactIndex;
  readonly period: string;
  readonly outstanding: Figure;
  readonly options: Options;
  readonly units: Units;
  readonly warrants: Warrants;
  readonly instruments: Instruments | null;
}): readonly DilutionPart[] {
  const hinted = (word: RegExp) => hintsAt(index, { period, word });
  const converts = convertibleShares({ index, period, instruments });
  const hasNoConverts = instruments !== null && converts.count.value === null && !converts.isHinted;
  const isPrefundedOnly = warrants.classes.length > 0 && warrants.total.value === null;
  const parts: readonly DilutionPart[] = [
    { name: 'options', count: options.total, isHinted: hinted(/Options?(?![a-z])/) },
    {
      name: 'units',
      count: units.units,
      isHinted: units.awards.value === null && hinted(/(RestrictedStockUnits|RSU|Rsu|PSU)/),
    },
    {
      name: 'warrants',
      count: warrants.total,
      isHinted: warrants.isContradicted || (!isPrefundedOnly && hintsAtWarrants(index, period)),
    },
    ...(hasNoConverts ? [] : [converts]),
    ...(warrants.prefunded.value === null && !hintsAtPrefunded(index, period)
      ? []
      : [{ name: 'prefunded', count: warrants.prefunded, isHinted: true }]),
  ];
  return parts.map((part) => plausible(part, outstanding));
}

/** A part twenty times what is outstanding has slipped in scale. */
function plausible(part: DilutionPart, outstanding: Figure): DilutionPart {
  const { value } = part.count;
  if (value === null || outstanding.value === null) return part;
  const isTooMuch = value.compare(outstanding.value.times(ExactDecimal.parse('20'))) > 0;
  if (!isTooMuch) return part;
  const count: Figure = absentFigure('unconfirmed', { facts: part.count.facts });
  return { ...part, count, isHinted: true, slipped: value.toString() };
}

function redeemableShares(preferred: PreferredStock | null): ExactDecimal | null {
  const counts = (preferred?.classes ?? []).flatMap(({ kind, shares }) =>
    kind === 'redeemable_common' && shares.value !== null ? [shares.value] : [],
  );
  return counts.length === 0 ? null : sumOf(counts);
}

/** A count up to here beside a cover a hundred times above it is what a company is founded with. */
const placeholderMax = 1000;
const placeholderFactor = 100;
/** Outside of it a count has moved between the period end and the cover. */
const steady = { low: 0.8, high: 1.25 };
const scaleTolerance = 0.1;

type CheckedCount = Pick<Shares, 'outstanding' | 'perShare' | 'perShareDate' | 'notes'>;

/**
 * Holds the count of the balance sheet against that of the cover (M18.43): a placeholder and a slip of scale are no
 * count, a move between the two days is said and both stay.
 */
function checkCounts({
  outstanding,
  cover,
  coverDate,
  period,
  weightedAverage,
  redeemable,
  splits,
}: {
  readonly outstanding: Figure;
  readonly cover: Figure;
  readonly coverDate: string | null;
  readonly period: string;
  readonly weightedAverage: Figure;
  /** Redeemable common shares, which a cover counts too. */
  readonly redeemable: ExactDecimal | null;
  readonly splits: readonly Split[];
}): CheckedCount {
  const asFiled = { outstanding, perShare: outstanding, perShareDate: period, notes: [] };
  if (outstanding.value === null || cover.value === null) return asFiled;
  const count = outstanding.value;
  const onCover = cover.value;
  if (count.sign <= 0 || onCover.sign <= 0) return asFiled;
  const byCover = (note: string): CheckedCount => ({
    outstanding: absentFigure('unconfirmed', { facts: outstanding.facts }),
    perShare: cover,
    perShareDate: coverDate,
    notes: [note],
  });
  const ratio = doubleOf(quotient(onCover, count));
  if (count.toNumber() <= placeholderMax && ratio > placeholderFactor) return byCover(`placeholder:${count}`);
  if (isScaleOf(ratio)) {
    const average = weightedAverage.value;
    // the average of the period says which of the two has slipped
    const isNear = (value: ExactDecimal) =>
      average !== null && average.sign > 0 && Math.abs(Math.log10(doubleOf(quotient(value, average)))) < 1;
    if (isNear(count)) return { ...asFiled, notes: [`scale_error:cover ${onCover}`] };
    const note = `scale_error:${count}`;
    if (isNear(onCover)) return byCover(note);
    const unknown: Figure = absentFigure('conflict', { part: 'scale', facts: outstanding.facts });
    return { outstanding: unknown, perShare: unknown, perShareDate: null, notes: [note] };
  }
  const isSteady = (value: number) => value >= steady.low && value <= steady.high;
  if (isSteady(ratio)) return asFiled;
  if (redeemable !== null && isSteady(doubleOf(quotient(onCover, count.plus(redeemable))))) return asFiled;
  const between = splits.find(
    ({ date, ratio: each }) =>
      date > period && coverDate !== null && date <= coverDate && isSteady(ratio / each),
  );
  if (between !== undefined) return { ...asFiled, notes: [`count_split:${between.ratio}`] };
  const moved = published(divide(exactly(onCover), exactly(count)), 2);
  return { ...asFiled, notes: [`count_moved:${moved}`] };
}

function isScaleOf(ratio: number): boolean {
  const magnitude = Math.log10(ratio);
  return [-6, -3, 3, 6].some((power) => Math.abs(magnitude - power) < scaleTolerance);
}
