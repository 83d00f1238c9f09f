import { compareText } from '../../../data/contract/values/compareText.ts';
import { isSubsequentMember, localName, newestDay, type StatedFact } from '../../crypto/statedFacts.ts';
import type { DebtResolution } from '../../debt/debtResolution.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { Facilities } from '../../facilities/facility.ts';
import type { InstanceFact, TermFact } from '../../filing/xbrlFiling.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { roundedOf, wholeInstants } from '../filedAmounts.ts';
import type { Instruments, RefusedGroup } from '../parts.ts';
import type { DebtDay } from './debtConcepts.ts';
import { type DebtGroup, debtGroups } from './debtGroups.ts';
import { againstDebt } from './debtLines.ts';
import { debtTables } from './debtTables.ts';
import type { DebtRoot } from './explainRoots.ts';
import { type Draft, type DraftContext, draftOf, isInstrument, isLent } from './instrumentDraft.ts';
import { byPrincipal, instrumentOf } from './instrumentRow.ts';
import { joinGroups, namedAggregates, summedAggregates, tokenKey } from './joinGroups.ts';
import { halvesOfName, isStandardMember } from './memberNames.ts';
import { owedAmounts } from './owedAmounts.ts';

/**
 * The notes, loans and lines of one filing with what they owe and say (M18.10–M18.26): from facts on members of
 * dimensional axes, and from lines of the face that no member explains. Facts of a later day are rows of their own.
 */
export function resolveInstruments({
  filing: { period, filed },
  facts,
  nil = [],
  terms,
  debt,
  facilities,
  fiscalYearStart,
  parameters,
}: {
  readonly filing: { readonly period: string; readonly filed: string };
  readonly facts: readonly StatedFact[];
  /** Facts without a value: reported, no amount. */
  readonly nil?: readonly InstanceFact[];
  readonly terms: readonly TermFact[];
  readonly debt: Pick<DebtResolution, 'total' | 'method' | 'roots'>;
  readonly facilities: Facilities;
  readonly fiscalYearStart: string | null;
  readonly parameters: Parameters;
}): Instruments {
  const currency = reportingCurrency(facts, period);
  if (currency === null) return noInstruments;
  const isLater = ({ end, dimensions }: Pick<InstanceFact, 'end' | 'dimensions'>) =>
    end > period || dimensions.some(isSubsequentMember);
  // in an order of their own, so that no result depends on that of the document
  const [stated, empty, said] = [facts.toSorted(byIdentity), nil.toSorted(byText), terms.toSorted(byText)];
  const own = {
    facts: stated.filter((each) => !isLater(each)),
    nil: empty.filter((each) => !isLater(each)),
    terms: said.filter((each) => !isLater(each)),
  };
  const isKnown = ({ end }: { readonly end: string }) => end <= filed;
  const later = {
    facts: stated.filter((each) => isLater(each) && isKnown(each)),
    nil: [],
    terms: said.filter((each) => isLater(each) && isKnown(each)),
  };
  const day = { period, currency, lines: new Set(debt.roots.map(({ concept }) => concept)) };
  const tables = debtTables(own.facts, day);
  const tableMembers = new Set(tables.flatMap(({ rows }) => [...rows.keys()]));
  const roots = rootsOf(debt, { facts: own.facts, ...day });
  const context: DraftContext = {
    ...day,
    ...{ tables, facilities, fiscalYearStart, parameters },
    isSubsequent: false,
    debt: roots === null ? null : currency === 'USD' ? debt.total : sumOf(roots.map(({ value }) => value)),
  };
  const named = namedAggregates(debtGroups(own, tableMembers));
  const joined = joinGroups(named.groups, day, roots ?? []);
  const { kept, refused } = instrumentsAmong(joined, day);
  const summed = summedAggregates(kept, day, tableMembers);
  const groups = withAggregates(summed.groups, { aggregates: named.aggregates, ...day });
  const drafts = groups.map((group) => draftOf(group, context));
  const { drafts: judged, stack } = againstDebt(drafts, { facts: own.facts, roots: roots ?? [], context });
  const aggregates = [...named.aggregates, ...summed.aggregates]
    .filter((group) => isInstrument(group, day, false))
    .map((group) => ({ ...draftOf(group, context), state: 'aggregate' as const }));
  const subsequent = laterDrafts(debtGroups(later, tableMembers), context);
  const hasRemainder = [...facts, ...nil].some(({ concept }) => /RemainderOfFiscalYear$/.test(concept));
  const found = [...judged, ...aggregates, ...subsequent].map((draft) =>
    instrumentOf(draft, {
      period: draft.state === 'subsequent' ? newestDay(draft.group.facts) : period,
      currency,
      hasRemainder,
    }),
  );
  return {
    currency,
    found: found.toSorted(byPrincipal),
    refused,
    stack,
    notes: tables.map(({ concept }) => `table:${concept}`).sort(compareText),
  };
}

function byIdentity(a: StatedFact, b: StatedFact): number {
  return compareText(a.identity, b.identity) || a.value.compare(b.value);
}

function byText(
  a: { readonly concept: string; readonly end: string; readonly contextId: string },
  b: typeof a,
): number {
  return (
    compareText(a.concept, b.concept) || compareText(a.end, b.end) || compareText(a.contextId, b.contextId)
  );
}

export const noInstruments: Instruments = {
  currency: null,
  found: [],
  refused: [],
  stack: { status: 'unproven', difference: null, principal: null },
  notes: [],
};

/** The currency of most undimensioned amounts at the period end; a convenience translation beside it is no second fact. */
export function reportingCurrency(facts: readonly StatedFact[], period: string): string | null {
  const counts = new Map<string, number>();
  for (const { unit, end, start, dimensions } of facts) {
    if (start !== null || end !== period || dimensions.length > 0 || !/^[A-Z]{3}$/.test(unit)) continue;
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1] || compareText(a[0], b[0]));
  return most?.[0] ?? null;
}

function instrumentsAmong(
  groups: readonly DebtGroup[],
  day: DebtDay,
): { readonly kept: readonly DebtGroup[]; readonly refused: readonly RefusedGroup[] } {
  const isKept = (group: DebtGroup) => isInstrument(group, day, group.members.every(isStandardMember));
  return {
    kept: groups.filter(isKept),
    refused: groups
      .filter((group) => !isKept(group))
      .map((group) => ({
        members: group.members,
        reason: isLent(group) ? 'a loan that is receivable' : 'no amount owed, year of a ladder or limit',
      })),
  };
}

/** Of an aggregate all of whose parts but one are paid, the carrying amount and the cost are those of the one (M18.15). */
function withAggregates(
  groups: readonly DebtGroup[],
  { aggregates, ...day }: DebtDay & { readonly aggregates: readonly DebtGroup[] },
): readonly DebtGroup[] {
  let found = groups;
  for (const aggregate of aggregates) {
    const parts = new Set(aggregate.members.flatMap((member) => halvesOfName(member).flat().map(tokenKey)));
    const own = found.filter(({ members }) => members.some((member) => parts.has(tokenKey(member))));
    const owing = own.filter((group) => {
      const { named, stated, face, carrying } = owedAmounts(group, day);
      return [...named, stated, face, ...carrying].some((each) => each !== null && each.value.sign > 0);
    });
    const [left] = owing;
    if (owing.length !== 1 || left === undefined) continue;
    const shared = aggregate.facts.filter(
      ({ concept }) =>
        /Unamortized|DeferredFinanceCosts|DebtIssuanceCosts|^[\w-]+:(LongTerm|Secured|Convertible|Notes|Loans)\w*/.test(
          concept,
        ) && !/Maturit/.test(concept),
    );
    const facts = shared.filter(({ concept }) => localName(concept) !== 'DebtInstrumentCarryingAmount');
    found = found.map((group) =>
      group === left ? { ...left, aliases: aggregate.members, facts: [...left.facts, ...facts] } : group,
    );
  }
  return found;
}

/** Lines of D in the reporting currency, with the rounding of their facts (DDC: CNY beside a convenience in USD). */
function rootsOf(
  { roots, method }: Pick<DebtResolution, 'roots' | 'method'>,
  { facts, ...day }: Pick<DebtDay, 'period' | 'currency'> & { readonly facts: readonly StatedFact[] },
): readonly DebtRoot[] | null {
  const { currency } = day;
  const whole = wholeInstants(facts, day);
  const owed = roots.filter(({ value, weight }) => weight === 1 && value.sign > 0);
  if (method === null) return null;
  const lines = owed.map(({ concept, value }) => {
    const fact = whole.find((each) => each.concept === concept);
    if (currency !== 'USD') return fact === undefined ? null : { concept, ...roundedOf(fact) };
    return { concept, value, half: roundedOf({ value, decimals: fact?.decimals ?? 'INF' }).half };
  });
  const known = lines.filter((line) => line !== null);
  return known.length < lines.length ? null : known;
}

function laterDrafts(groups: readonly DebtGroup[], context: DraftContext): readonly Draft[] {
  return groups.flatMap((group) => {
    const period = newestDay(group.facts);
    const draft = draftOf(group, {
      ...context,
      period,
      tables: [],
      fiscalYearStart: null,
      isSubsequent: true,
    });
    const later = { period, lines: context.lines };
    return isInstrument(group, later, group.members.every(isStandardMember)) ? [draft] : [];
  });
}
