import {
  type CompanyFundamentals,
  fundamentalKeys,
} from '../../data/contract/payloads/issuer/companyFundamentals.ts';

/** What of an answer is not exactly what its provenance says was filed (M10.8, M10.13, M15.4, M15.57). */
export function* fundamentalsProblems(payload: CompanyFundamentals): Generator<string> {
  const { fundamentals, provenance } = payload;
  for (const key of fundamentalKeys) {
    const value = fundamentals[key];
    const fact = provenance.facts[key];
    if (value === null) {
      if (fact !== undefined) yield `${key} is null beside a filed fact`;
      continue;
    }
    if (fact === undefined) {
      yield `${key} has no filed fact`;
      continue;
    }
    if (String(fact.value) !== String(value)) yield `${key} differs from the filed value`;
    if (fact.duration_kind === 'instant') {
      if (fact.start !== null) yield `${key} is an instant with a start`;
      continue;
    }
    if (fact.months === null) yield `${key} has no months`;
    if (fact.start === null || fact.start >= fact.end) yield `${key} has no duration`;
    if (fact.ytd !== null && fact.months !== null && fact.ytd.months < fact.months) {
      yield `${key} is longer than its year to date`;
    }
  }
}
