import { isPeriodicForm, isReportForm } from '../../../calculators/filing/periodicForms.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { isPlaceholder } from '../../../data/contract/values/filingUrl.ts';

/** A filing an issuer has made, as far as the inputs know it (M1.44). */
export type FilingCandidate = {
  /** Ten digits. */
  readonly cik: string;
  readonly accession: string;
  readonly accessionStatus: 'filed' | 'placeholder';
  readonly form: string;
  readonly filed: string;
  /** UTC instant; null when only `filed` is known. */
  readonly acceptedAt: string | null;
  /** Balance-sheet date; null when unknown. */
  readonly period: string | null;
  /** What submissions say of the filing; null when they do not cover it. */
  readonly isXbrl: boolean | null;
  /** Whether companyfacts have its total assets; null when they do not know the filing (yet). */
  readonly hasBalanceSheet: boolean | null;
};

/** A candidate that is needed, and what for. */
export type ChosenFiling = FilingCandidate & {
  /** `latest`: in force on the date. `history`: an earlier period. `possible`: may carry a balance sheet. */
  readonly why: 'latest' | 'history' | 'possible';
};

/** `yes`: its balance sheet is known. `likely`: it should have one. `maybe`: it could. */
type Worth = 'yes' | 'likely' | 'maybe' | 'no';

/**
 * Chooses the filings of each issuer that have to be available on `sourceDate`: the latest periodic one with a
 * balance sheet and its amendments (M1.39, M1.44), and those of `periods` − 1 earlier balance-sheet dates or of
 * every date filed since `since`; placeholder accessions never (M1.45). Newest first, issuers in order of CIK.
 *
 * Submissions are ahead of companyfacts by days: a filing that should have a balance sheet is taken, and so is
 * the latest one known to have it. Amendments and 6-Ks of unknown content are taken when they say they have XBRL,
 * at most `maxPossible` an issuer. What several inputs know of one filing is put together.
 */
export function chooseFilingsToFetch(
  candidates: readonly FilingCandidate[],
  input: { sourceDate: string; periods?: number; since?: string; maxPossible?: number },
): ChosenFiling[] {
  const sameFiling = Map.groupBy(candidates, (c) => `${c.cik} ${c.accession}`);
  const known = [...sameFiling.values()].flatMap(combine).filter((c) => isKnownBy(c, input.sourceDate));
  const byIssuer = Map.groupBy(known, (c) => c.cik);
  return [...byIssuer.keys()].sort().flatMap((cik) => chooseOfIssuer(byIssuer.get(cik) ?? [], input));
}

function chooseOfIssuer(
  candidates: readonly FilingCandidate[],
  input: { periods?: number; since?: string; maxPossible?: number },
): ChosenFiling[] {
  const newestFirst = candidates.toSorted(
    (a, b) => compareText(acceptedAt(b), acceptedAt(a)) || compareText(b.accession, a.accession),
  );
  const wanted = wantedPeriods(newestFirst, input);
  const oldest = newestFirst.findLast((c) => wanted.has(periodOf(c)));
  const knownInForce = newestFirst.find((c) => worth(c) === 'yes');
  const inForce = newestFirst.find((c) => worth(c) === 'likely' || worth(c) === 'yes');
  const latest = new Set([knownInForce, inForce].flatMap((c) => (c === undefined ? [] : [periodOf(c)])));
  let possible = 0;
  return newestFirst.flatMap((c): ChosenFiling[] => {
    const value = worth(c);
    if (value === 'maybe') {
      // what came before everything wanted cannot be in force on any wanted day
      const recent = oldest === undefined || acceptedAt(c) >= acceptedAt(oldest);
      possible += 1;
      return recent && possible <= (input.maxPossible ?? 12) ? [{ ...c, why: 'possible' }] : [];
    }
    if (value === 'no') return [];
    if (latest.has(periodOf(c))) return [{ ...c, why: 'latest' }];
    return wanted.has(periodOf(c)) ? [{ ...c, why: 'history' }] : [];
  });
}

/** Balance-sheet dates whose filings are wanted. */
function wantedPeriods(
  newestFirst: readonly FilingCandidate[],
  { periods, since }: { periods?: number; since?: string },
): Set<string> {
  const wanted = new Set<string>();
  for (const candidate of newestFirst) {
    const value = worth(candidate);
    if (value !== 'yes' && value !== 'likely') continue;
    const isRecent = since !== undefined && candidate.filed >= since;
    if (wanted.size < (periods ?? 1) || isRecent) wanted.add(periodOf(candidate));
  }
  const known = newestFirst.find((candidate) => worth(candidate) === 'yes');
  if (known !== undefined) wanted.add(periodOf(known));
  return wanted;
}

function worth(c: FilingCandidate): Worth {
  if (c.hasBalanceSheet !== null) return c.hasBalanceSheet ? 'yes' : 'no';
  if (c.isXbrl === false) return 'no';
  if (isReportForm(c.form)) return 'likely';
  // most 6-Ks and many amendments have no XBRL at all
  return c.isXbrl === true ? 'maybe' : 'no';
}

function isKnownBy(c: FilingCandidate, sourceDate: string): boolean {
  if (c.accessionStatus === 'placeholder' || isPlaceholder(c.accession)) return false;
  return isPeriodicForm(c.form) && c.filed <= sourceDate && acceptedAt(c).slice(0, 10) <= sourceDate;
}

/** What several inputs know of one filing; of differing dates the last, so that none leaks the future (M1.44). */
function combine(same: readonly FilingCandidate[]): FilingCandidate[] {
  const [any] = same;
  if (any === undefined) return [];
  // the period of a balance sheet someone has seen is better than the one the filer names
  const seen = same.filter((c) => c.hasBalanceSheet === true).map((c) => c.period);
  const hasPlaceholder = same.some((c) => c.accessionStatus === 'placeholder');
  return [
    {
      cik: any.cik,
      accession: any.accession,
      accessionStatus: hasPlaceholder ? 'placeholder' : 'filed',
      form: same.map((c) => c.form).sort()[0] ?? any.form,
      filed: last(same.map((c) => c.filed)) ?? any.filed,
      acceptedAt: last(same.map((c) => c.acceptedAt)),
      period: last(seen) ?? last(same.map((c) => c.period)),
      isXbrl: either(same.map((c) => c.isXbrl)),
      hasBalanceSheet: either(same.map((c) => c.hasBalanceSheet)),
    },
  ];
}

function last(values: readonly (string | null)[]): string | null {
  return (
    values
      .filter((value) => value !== null)
      .sort()
      .at(-1) ?? null
  );
}

function either(values: readonly (boolean | null)[]): boolean | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.includes(true);
}

/** The instant of acceptance, or the last one of the filing date (M1.44). */
function acceptedAt(c: FilingCandidate): string {
  return c.acceptedAt ?? `${c.filed}T23:59:59Z`;
}

// a filing without a period stands for itself
function periodOf(c: FilingCandidate): string {
  return c.period ?? c.accession;
}
