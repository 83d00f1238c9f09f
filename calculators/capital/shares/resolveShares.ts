import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { StatedFact } from '../../crypto/statedFacts.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { TermFact } from '../../filing/xbrlFiling.ts';
import type { Split } from '../../prices/splits.ts';
import { distinctSplits } from '../../prices/splits.ts';
import type { Figure } from '../figure.ts';
import type { Instruments } from '../instruments/instrument.ts';
import type { PreferredStock } from '../preferred/preferredStock.ts';
import { checkCounts } from './checkCounts.ts';
import { convertibleShares, type DilutionPart, sumOfParts } from './dilution.ts';
import { filedSplits } from './filedSplits.ts';
import { coverShares, outstandingShares, weightedAverage } from './shareCounts.ts';
import type { Shares } from './shares.ts';
import { type FactIndex, factIndex, noValue } from './statedFigure.ts';
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
  const part = (name: string) => parts.find((one) => one.name === name)?.count ?? noValue('not_filed');
  const excluded = parts.filter(({ count: one, isHinted }) => one.value === null && !isHinted);
  return {
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
  const count: Figure = { value: null, reason: 'unconfirmed', facts: part.count.facts };
  return { ...part, count, isHinted: true, slipped: value.toString() };
}

function redeemableShares(preferred: PreferredStock | null): ExactDecimal | null {
  const counts = (preferred?.classes ?? []).flatMap(({ kind, shares }) =>
    kind === 'redeemable_common' && shares.value !== null ? [shares.value] : [],
  );
  return counts.length === 0 ? null : sumOf(counts);
}
