import { grouped } from '../../calculators/exact/decimals.ts';
import { wordsOf } from '../../calculators/network/conceptNames.ts';
import type { ResolutionTrail } from '../../calculators/trail/resolutionTrail.ts';
import {
  type CovenantFacility,
  facility as facilitySchema,
} from '../../data/contract/payloads/issuer/facility.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type Branch, leaf, treeText } from './treeText.ts';
import words from './words.json' with { type: 'json' };

/**
 * Prints the loans that coins secure as a tree: amount, coins, trigger and call price of each, then the day's close, what
 * limits it, and the facts as filed; last what was looked at and excluded.
 */
export function facilityTree(facilities: unknown, { facilitiesLeftOut = [] }: ResolutionTrail): string {
  const found = facilitySchema.array().parse(plainNumbers(facilities ?? []));
  const text =
    found.length === 0
      ? 'the facts of the filing show no loan that coins secure; a loan it does not tag is not seen (M16.1)'
      : `${found.length} ${found.length === 1 ? 'loan' : 'loans'} secured by coins; information only, no ratio depends on it (M16.1)`;
  return treeText({
    text,
    below: [
      ...found.map(facilityBranch),
      ...facilitiesLeftOut.map(({ name, reason }) => ({ text: `left out: ${name}; ${reason}`, below: [] })),
    ],
  });
}

function facilityBranch(loan: CovenantFacility): Branch {
  const event = loan.is_subsequent ? `after the period end, on ${loan.as_of}` : `as of ${loan.as_of}`;
  return {
    text: `${shortName(loan.name)}, ${event}; confidence ${loan.confidence}; ${loan.name}`,
    below: [
      leaf(drawnWords(loan)),
      ...(loan.limit === null ? [] : [leaf(`limit ${money(loan.limit)} (M16.4)`)]),
      leaf(collateralWords(loan)),
      leaf(triggerWords(loan)),
      ...dayWords(loan).map(leaf),
      ...loan.notes.map((note) => leaf(`note: ${facilityNoteWords(note)}`)),
      { text: 'facts as filed', below: loan.fact_refs.map((fact) => leaf(factWords(fact))) },
    ],
  };
}

type Words = Readonly<Record<string, string>>;

const bases: Words = words.drawn_bases;
const kinds: Words = words.trigger_kinds;
/** What each code of a facility's notes says; what follows its colon is the amount, day, coin or concept meant (M16.10). */
const meanings: Words = words.facility_notes;

function drawnWords({ drawn, drawn_basis: basis }: CovenantFacility): string {
  if (drawn === null) return 'drawn: no fact states it (M16.4)';
  return `drawn ${money(drawn)}; ${bases[basis ?? ''] ?? basis} (M16.4)`;
}

function collateralWords(loan: CovenantFacility): string {
  const { collateral_units: units, collateral_value: value, collateral_asset: asset } = loan;
  if (units === null && value === null) return 'collateral: no fact states coins pledged (M16.7)';
  const coins = units === null ? (asset ?? 'coins') : `${number(units)} ${asset ?? 'coins'}`;
  const how = loan.collateral_basis === 'tagged_value' ? 'as filed' : `at the close of ${loan.as_of}`;
  return `collateral ${coins}${value === null ? '' : `, worth ${money(value)} ${how}`} (M16.7)`;
}

function triggerWords({
  trigger_ltv: ltv,
  trigger_kind: kind,
  margin_call_price: call,
}: CovenantFacility): string {
  if (ltv === null) return 'trigger: no fact states one (M16.6)';
  const words = `loan-to-value of ${ltv} is ${kinds[kind ?? ''] ?? kind} (M16.6)`;
  return call === null ? words : `${words}, at ${number(call)} USD a coin (M16.9)`;
}

function dayWords(loan: CovenantFacility): string[] {
  const then = ratioWords(loan.ltv, loan.price_fall_to_call);
  const now = ratioWords(loan.live_ltv, loan.live_price_fall_to_call);
  return [
    ...(then === null ? [] : [`on ${loan.as_of}: ${then}`]),
    ...(now === null
      ? []
      : [`at the close of ${loan.price_date}: ${now}; without collateral added since ${loan.as_of}`]),
  ];
}

function ratioWords(ltv: number | null, fall: number | null): string | null {
  if (ltv === null) return null;
  const words = `loan-to-value ${ltv}`;
  if (fall === null) return words;
  return fall > 0
    ? `${words}, a fall of ${(fall * 100).toFixed(2)} % reaches the call`
    : `${words}, the call is already crossed`;
}

function factWords({ concept, value, unit, date, members }: CovenantFacility['fact_refs'][number]): string {
  const amount = ExactDecimal.tryParse(value);
  const shown = amount === null ? value : grouped(amount);
  return [`${wordsOf(concept).join(' ')} ${shown} ${unit} at ${date}; ${concept}`, ...members].join(', ');
}

function shortName(name: string): string {
  return wordsOf(name.replace(/Member$/, '')).join(' ');
}

function money(value: CovenantFacility['drawn']): string {
  return `${number(Number(value))} USD`;
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 8 });
}

/** The stored row keeps every digit; the shape of a facility asks for numbers. */
function plainNumbers(value: unknown): unknown {
  if (value instanceof ExactDecimal) return value.toNumber();
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainNumbers(member)]));
}

/** A note in words, what it names after them, and its code last. */
function facilityNoteWords(note: string): string {
  const [code = '', ...rest] = note.split(':');
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (meaning === undefined) return note;
  return `${meaning}${rest.length === 0 ? '' : `: ${rest.join(':')}`} (${code})`;
}
