import { compareText } from '../../data/contract/values/compareText.ts';
import type { QualityFlag } from '../../data/contract/values/enums.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { localName, namesCoins, newestDay, type StatedFact } from '../crypto/statedFacts.ts';
import { exceeds } from '../exact/decimals.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { Facility, FacilityFact, LeftOutFacility } from './facility.ts';
import { type CollateralContext, type CollateralFound, collateralOf } from './facilityCollateral.ts';
import { type Drawn, drawnOf, type Limit, limitOf, limitsOf, principalsOf } from './facilityDrawn.ts';
import type { FacilityGroup } from './facilityGroups.ts';
import { isTerm, type Terms, termsOf } from './facilityTerms.ts';
import { isPledgedCoins } from './loanFacts.ts';

/** What the groups of one filing share. */
export type GroupContext = {
  readonly period: string;
  readonly isSubsequent: boolean;
  readonly fiscalYearStart: string | null;
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  readonly collateral: CollateralContext;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/** What became of a group. */
export type Judged =
  | { readonly kind: 'facility'; readonly facility: Facility }
  | { readonly kind: 'left_out'; readonly leftOut: LeftOutFacility }
  /** A loan without any word of coins or ratios. */
  | { readonly kind: 'other' };

/** Debt of a group at its day: what is drawn, what may be drawn. */
export function amountsOf(
  { facts }: Pick<FacilityGroup, 'facts'>,
  { period, isSubsequent, fiscalYearStart, parameters }: GroupContext,
): { readonly drawn: Drawn | null; readonly limit: Limit | null } {
  const isAt = isSubsequent ? () => true : ({ end }: StatedFact) => end === period;
  const drawn = drawnOf(facts, { isAt, parameters, fiscalYearStart, period });
  return { drawn, limit: limitOf(limitsOf(facts), drawn) };
}

/** Makes a facility of a group, or gives the reason it is none (M16.2). */
export function judgeGroup(group: FacilityGroup, context: GroupContext): Judged {
  const { parameters, isSubsequent } = context;
  const { limit, ...amounts } = amountsOf(group, context);
  const isAboveDebt =
    !isSubsequent &&
    amounts.drawn !== null &&
    context.debt !== null &&
    exceeds(amounts.drawn.amount, context.debt, parameters.facilities.debtExcess);
  const drawn = isAboveDebt ? null : amounts.drawn;
  const found = collateralAt(group, { ...context, drawn, limit });
  const terms = termsOf(group.facts, parameters);
  const isAboutCoins =
    found.collateral !== null || terms.isCollateralTerm || speaksOfCoins(group, parameters.concepts);
  const trigger = isAboutCoins ? terms.trigger : null;
  const hasTerm = isAboutCoins && group.facts.some(isTerm);
  const name = nameOf(group, drawn);
  const head = { id: idOf(group, name), name, isSubsequent };
  const isOwed = drawn !== null || limit !== null || isAboveDebt;
  const isFacility = isOwed
    ? found.collateral !== null || hasTerm
    : trigger !== null && terms.isCollateralTerm;
  if (!isFacility) {
    const isLooked = group.facts.some((fact) => isTerm(fact) || isPledgedCoins(fact));
    if (!isLooked) return { kind: 'other' };
    return { kind: 'left_out', leftOut: { ...head, reason: reasonOf(found, isOwed, isAboutCoins) } };
  }
  const notes = [
    ...group.notes,
    ...found.notes,
    ...(isAboutCoins ? terms.notes : []),
    ...(isAboveDebt ? ['facility_exceeds_debt'] : []),
    ...(drawn !== null && limit !== null && drawn.amount.compare(limit.amount) > 0
      ? [`facility_limit_exceeded:${limit.amount}`]
      : []),
    ...(drawn !== null && drawn.amount.sign === 0 ? ['facility_undrawn'] : []),
    ...missingPrice(found, context),
    ...entityNotes(group),
  ];
  const { collateral } = found;
  return {
    kind: 'facility',
    facility: {
      ...head,
      asOf: isSubsequent ? newestDay(group.facts) : context.period,
      drawn: drawn && { amount: drawn.amount, basis: drawn.basis, facts: drawn.facts.map(kept) },
      limit: limit && { amount: limit.amount, facts: [kept(limit.fact)] },
      collateral: collateral && { ...collateral, facts: collateral.facts.map(kept) },
      trigger: trigger && { ...trigger, facts: trigger.facts.map(kept) },
      confidence: confidenceOf({ drawn, collateral, trigger, notes, group }),
      notes: [...new Set(notes)].sort(compareText),
    },
  };
}

/** Coins pledged at the day; else earlier ones, where the loan still stands in full (M16.7). */
function collateralAt(
  { facts }: FacilityGroup,
  context: GroupContext & { readonly drawn: Drawn | null; readonly limit: Limit | null },
): CollateralFound {
  const { period, isSubsequent, drawn, limit } = context;
  const pledged = facts.filter(isPledgedCoins);
  const restricted = facts.filter((fact) => !isPledgedCoins(fact) && /Restricted/.test(fact.concept));
  const all = [...pledged, ...restricted];
  const last = (before: (day: string) => boolean) =>
    all.reduce((latest, { end }) => (before(end) && end > latest ? end : latest), '');
  const day = isSubsequent ? last(() => true) : period;
  const found = collateralOf(all, { ...context.collateral, isAt: ({ end }) => end === day });
  const isStated = found.collateral !== null || found.isReleased || found.notes.length > 0;
  if (isSubsequent || isStated || drawn === null) return found;
  const earlier = last((end) => end < period);
  const whole = `${drawn.amount} USD`;
  const isDrawnInFull = principalsOf(facts).has(whole) || limit?.amount.equals(drawn.amount) === true;
  if (earlier === '' || !isDrawnInFull || drawn.amount.sign <= 0) return found;
  const dated = collateralOf(pledged, { ...context.collateral, isAt: ({ end }) => end === earlier });
  return { ...dated, notes: [...dated.notes, `facility_collateral_dated:${earlier}`] };
}

function speaksOfCoins({ members, facts }: FacilityGroup, concepts: Concepts): boolean {
  return members.some((member) => namesCoins(member, concepts)) || facts.some((fact) => fact.namesCoins);
}

function reasonOf(found: CollateralFound, isOwed: boolean, isAboutCoins: boolean) {
  if (found.isReleased) return 'its pledge is released: the coins pledged at the date are 0';
  if (!isAboutCoins) return 'its ratio is a covenant without coins';
  return isOwed ? 'no coins are pledged at the date' : 'no amount owed and no limit is stated';
}

/** What is known of the loan decides, and how its names were brought together (M16.10). */
function confidenceOf({
  drawn,
  collateral,
  trigger,
  notes,
  group,
}: Pick<CollateralFound, 'collateral'> &
  Omit<Terms, 'isCollateralTerm'> & { drawn: Drawn | null; group: FacilityGroup }): QualityFlag {
  if (notes.some((note) => !harmless.test(note)) || drawn === null || collateral === null) return 'Low';
  const isPriced = !notes.some((note) => note.startsWith('facility_price_missing'));
  const isPlain = group.joins.every((join) => join === 'principal') && drawn.basis !== 'flows';
  const isDated = notes.some((note) => note.startsWith('facility_collateral_dated'));
  return trigger !== null && collateral.units !== null && isPlain && isPriced && !isDated ? 'High' : 'Medium';
}

const harmless = /^facility_(collateral_dated|undrawn|limit_exceeded|of_entity|price_missing)/;

function missingPrice(
  { collateral }: CollateralFound,
  { prices, period, isSubsequent }: GroupContext,
): string[] {
  if (collateral === null || collateral.units === null || isSubsequent) return [];
  const { asset } = collateral;
  if (asset === null) return ['facility_price_missing:unknown_coin'];
  return prices.close(asset, period) === null ? [`facility_price_missing:${asset}`] : [];
}

/** The loan of one entity of a group shows less of the registrant; the entity is named. */
function entityNotes({ facts }: FacilityGroup): string[] {
  const entities = facts.flatMap(({ dimensions }) =>
    dimensions.filter(({ axis }) => /:(LegalEntityAxis|ConsolidatedEntitiesAxis)$/.test(axis)),
  );
  const names = entities
    .map(({ member }) => localName(member))
    .filter((name) => name !== 'ParentCompanyMember');
  return [...new Set(names)].map((name) => `facility_of_entity:${name}`);
}

function nameOf({ members, facts }: FacilityGroup, drawn: Drawn | null): string {
  const ofDrawn = drawn?.facts.flatMap(({ dimensions }) => dimensions.map(({ member }) => member)) ?? [];
  const line = drawn?.facts[0] === undefined ? '' : `${localName(drawn.facts[0].concept)}Member`;
  const named =
    ofDrawn.find((member) => members.includes(member)) ??
    members.find((member) => localName(member) === line) ??
    members[0];
  if (named !== undefined) return named;
  const concepts = facts.map(({ concept }) => concept).toSorted(compareText);
  return drawn?.facts[0]?.concept ?? concepts[0] ?? '';
}

function idOf({ members }: FacilityGroup, name: string): string {
  const names = members.length === 0 ? [name] : members;
  return [...new Set(names.map((each) => localName(each).toLowerCase()))].sort(compareText).join('+');
}

function kept({ concept, unit, value, end, dimensions }: StatedFact): FacilityFact {
  return { concept, unit, value, date: end, dimensions };
}
