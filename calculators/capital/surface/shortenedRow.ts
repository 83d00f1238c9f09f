import { type CapitalPayload, mostCapitalBytes } from '../../../data/contract/payloads/issuer/capital.ts';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import type { Capital } from '../capital.ts';

const outstandingOnly = (capital: Capital): Capital => ({
  ...capital,
  instruments: {
    ...capital.instruments,
    found: capital.instruments.found.filter(({ state }) => state === 'outstanding'),
  },
});

const withoutUnprovenFlows = (capital: Capital): Capital => ({
  ...capital,
  coinFlows: {
    ...capital.coinFlows,
    flows: capital.coinFlows.flows.map((flow) => (flow.status === 'proven' ? flow : { ...flow, rows: [] })),
  },
});

/**
 * The row of all of it, or of less where that would be too long: without instruments that are not outstanding, then
 * without the rows of coin flows that do not close, then without its facts, then with the largest instruments alone.
 */
export function shortened(capital: Capital, rowFrom: (kept: Capital) => CapitalPayload): CapitalPayload {
  const said = (row: CapitalPayload, ...what: string[]) => ({
    ...row,
    notes: [...row.notes, ...what.map((part) => `shortened:${part}`)],
  });
  const whole = rowFrom(capital);
  if (fits(whole)) return whole;
  const outstanding = outstandingOnly(capital);
  const first = said(rowFrom(outstanding), 'instruments');
  if (fits(first)) return first;
  const second = said(rowFrom(withoutUnprovenFlows(outstanding)), 'instruments', 'coin_flows');
  if (fits(second)) return second;
  const third = said(withFactsOf(second, ['instruments', 'maturities', 'preferred']), 'other_facts');
  if (fits(third)) return third;
  const owed = said(
    withFactsOf({ ...second, instruments: second.instruments.map(owedFacts) }, ['instruments']),
    'other_facts',
  );
  if (fits(owed)) return owed;
  const fourth = said(withFactsOf(second, []), 'facts');
  const bare = fourth;
  for (let most = bare.instruments.length; most > 0; most -= 1) {
    const row = { ...bare, instruments: bare.instruments.slice(0, most) };
    if (fits(row)) return row;
  }
  return { ...bare, instruments: [] };
}

function fits(row: CapitalPayload): boolean {
  const text = canonicalJson(row as unknown as CanonicalValue);
  return new TextEncoder().encode(text).length < mostCapitalBytes;
}

/** The row with the facts of some parts alone; `issuer explain --capital` shows all. Rows of coin flows go with theirs. */
function withFactsOf(row: CapitalPayload, kept: readonly (keyof CapitalPayload)[]): CapitalPayload {
  const flows = row.coin_flows.map((flow) => ({ ...flow, rows: [] }));
  const parts = Object.entries({ ...row, coin_flows: flows }).map(([name, part]) =>
    kept.some((one) => one === name) ? [name, part] : [name, bareOf(part)],
  );
  const bare = Object.fromEntries(parts) as CapitalPayload;
  return kept.length === 0 ? { ...bare, facts: [], members: [] } : onlyNamed({ ...bare, facts: row.facts });
}

function owedFacts(one: CapitalPayload['instruments'][number]): CapitalPayload['instruments'][number] {
  return { ...(bareOf(one) as typeof one), principal: one.principal };
}

function onlyNamed(row: CapitalPayload): CapitalPayload {
  const named = new Set<number>();
  eachPlaces(row, (places) => {
    for (const place of places) named.add(place);
  });
  const order = [...named].sort((a, b) => a - b);
  const places = new Map(order.map((place, i) => [place, i]));
  const facts = order.flatMap((place) => row.facts[place] ?? []);
  const carried = [...new Set(facts.flatMap(({ members = [] }) => members))].sort((a, b) => a - b);
  const members = new Map(carried.map((place, i) => [place, i]));
  const renumbered = replaced(row, (of) => of.flatMap((place) => places.get(place) ?? []));
  return {
    ...renumbered,
    facts: facts.map((fact) =>
      fact.members === undefined
        ? fact
        : { ...fact, members: fact.members.map((one) => members.get(one) ?? 0) },
    ),
    members: carried.flatMap((place) => row.members[place] ?? []),
  };
}

function eachPlaces(row: CapitalPayload, visit: (places: readonly number[]) => void): void {
  replaced(row, (places) => {
    visit(places);
    return places;
  });
}

/** Each list of places of facts, in figures, buckets and flows, as another one. */
function replaced(
  row: CapitalPayload,
  change: (places: readonly number[]) => readonly number[],
): CapitalPayload {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object' || value instanceof ExactDecimal) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) =>
        name === 'facts' && Array.isArray(inner) ? [name, change(inner as number[])] : [name, walk(inner)],
      ),
    );
  };
  const { facts, ...parts } = row;
  return { ...(walk(parts) as Omit<CapitalPayload, 'facts'>), facts };
}

function bareOf(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(bareOf);
  if (part === null || typeof part !== 'object' || part instanceof ExactDecimal) return part;
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, inner]) => {
      if (name !== 'facts') return [[name, bareOf(inner)] as const];
      // a figure has none then, another part an empty list
      return 'value' in part ? [] : [[name, []] as const];
    }),
  );
}
