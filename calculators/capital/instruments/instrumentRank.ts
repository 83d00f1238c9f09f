import { compareText } from '../../../data/contract/values/compareText.ts';
import { isQuantity, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import type { Facility, FacilityFact } from '../../facilities/facility.ts';
import { isPledgedCoins } from '../../facilities/loanFacts.ts';
import { type Figure, noFigure } from '../figure.ts';
import type { DebtGroup } from './debtGroups.ts';
import type { Instrument } from './instrument.ts';
import { capitalFact } from './principalOwed.ts';

type Ranked = Pick<Instrument, 'rank' | 'rankBasis' | 'securedBy' | 'pledgedUnits' | 'pledgedValue'>;

/** Rank of an instrument and what it rests on (M18.20): coins only by a fact, everything else by fact, class or word. */
export function rankOf(
  { facts, members, classes }: Pick<DebtGroup, 'facts' | 'members' | 'classes'>,
  { facility, period }: { readonly facility: Facility | null; readonly period: string },
): Ranked {
  const pledge = pledgeOf(facts, { facility, period });
  if (pledge.pledgedUnits.value !== null || pledge.pledgedValue.value !== null) {
    const rankBasis = (facility?.collateral ?? null) === null ? 'pledged_coins' : 'facility';
    return { rank: 'secured_by_coins', rankBasis, securedBy: 'coins', ...pledge };
  }
  const collateral = facts.find(
    ({ concept, value, end, dimensions }) =>
      end <= period &&
      value.sign > 0 &&
      (otherCollateral.test(localName(concept)) ||
        dimensions.some(({ axis }) => axis.endsWith(':CollateralAxis'))),
  );
  if (collateral !== undefined) {
    return {
      rank: 'secured_by_other_assets',
      rankBasis: 'collateral_fact',
      securedBy: 'other_assets',
      ...pledge,
    };
  }
  const names = [...members, ...classes].map(localName).join(' ');
  if (subordinatedWord.test(names)) {
    return { rank: 'subordinated', rankBasis: 'name', securedBy: null, ...pledge };
  }
  if (/Unsecured/.test(names)) return { rank: 'unsecured', rankBasis: 'name', securedBy: null, ...pledge };
  const word = securedWord.exec(names)?.[0];
  const isSecuredConcept = facts.some(
    ({ concept, end, value }) =>
      end === period && value.sign > 0 && /^Secured(LongTerm)?Debt/.test(localName(concept)),
  );
  if (word !== undefined || isSecuredConcept) {
    const isOther = word !== undefined && word !== 'Secured';
    return {
      rank: 'secured_by_other_assets',
      rankBasis: word === undefined ? 'concept' : 'name',
      securedBy: isOther ? 'other_assets' : 'unknown',
      ...pledge,
    };
  }
  return { rank: 'unsecured', rankBasis: 'assumed', securedBy: null, ...pledge };
}

const securedWord = /(?<!Un)(Secured|Mortgage|AssetBacked|Nonrecourse|NonRecourse|Equipment)/;
const subordinatedWord = /(Subordinated|Junior)/;
const otherCollateral =
  /(CashCollateral|CollateralAccount|ControlAccount|CollateralAmount|AssetPledged|PledgedAsCollateral|CollateralAlreadyPosted|AmountOfCollateral)/;

/** Coins behind it: those of its facility, else pledged coins among its facts; a stock filed on a period stands at its end. */
function pledgeOf(
  facts: readonly StatedFact[],
  { facility, period }: { readonly facility: Facility | null; readonly period: string },
): Pick<Ranked, 'pledgedUnits' | 'pledgedValue'> {
  const collateral = facility?.collateral ?? null;
  if (collateral !== null) {
    const { units } = collateral;
    const value = collateral.basis === 'tagged_value' ? collateral.value : null;
    // the loan states its facts in the order of the document
    const evidence = collateral.facts
      .toSorted((a, b) => compareText(textOf(a), textOf(b)))
      .map(({ concept, unit, value: amount, date, dimensions }) => ({
        ...{ concept, unit, value: amount, dimensions },
        ...{ start: null, end: date },
      }));
    const figure = (amount: typeof units): Figure =>
      amount === null
        ? noFigure('not_filed')
        : { value: amount, status: 'stated', basis: 'facility', facts: evidence };
    return { pledgedUnits: figure(units), pledgedValue: figure(value) };
  }
  const pledged = facts.filter((fact) => fact.end === period && fact.value.sign > 0 && isPledgedCoins(fact));
  return {
    pledgedUnits: agreed(pledged.filter(isQuantity)),
    pledgedValue: agreed(pledged.filter(({ unit }) => /^[A-Z]{3}$/.test(unit))),
  };
}

function textOf({ concept, unit, value, date, dimensions }: FacilityFact): string {
  const members = dimensions.map(({ axis, member }) => `${axis}=${member}`).toSorted(compareText);
  return [concept, unit, date, ...members, value].join(' ');
}

function agreed(facts: readonly StatedFact[]): Figure {
  const [first, ...rest] = facts;
  if (first === undefined) return noFigure('not_filed');
  if (rest.some(({ value }) => !value.equals(first.value))) return noFigure('conflict');
  return { value: first.value, status: 'stated', basis: 'pledged', facts: [capitalFact(first)] };
}
