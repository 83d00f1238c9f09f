import type {
  EvidenceFiling,
  EvidenceTag,
} from '../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { filingUrl } from '../../data/contract/values/filingUrl.ts';
import type { Concepts } from '../parameters/concepts.ts';
import { tagFamily } from './tagFamily.ts';

const signs = { added: '+', removed: '-', revised: '~' } as const;

/**
 * One evidence line (M6.5): `<sign> <taxonomy>:<concept> [<unit>] <start..end|end> = <val> (was <old>) accn=<accn>
 * form=<form> filed=<date>`. The old value is there for a revised row, and for an added one whose series last had
 * another value.
 */
export function evidenceLine(change: FactChange): string {
  const value = change.after ?? change.before;
  const old = change.kind === 'revised' ? change.before : change.kind === 'added' ? change.prior : null;
  const was = old === null || value === null || old.equals(value) ? '' : ` (was ${old})`;
  const period = change.start === null ? change.end : `${change.start}..${change.end}`;
  return (
    `${signs[change.kind]} ${change.taxonomy}:${change.concept} [${change.unit}] ${period} = ${value}${was} ` +
    `accn=${change.accession} form=${change.form ?? 'unknown'} filed=${change.filed ?? 'unknown'}`
  );
}

/** The evidence of one registrant: a line a row, ordered by concept, period end and accession, indexed from 0 (I2.33). */
export function evidenceLines(
  changes: readonly FactChange[],
  input: { holdsCoins: boolean; concepts: Concepts },
): readonly EvidenceTag[] {
  return changes.toSorted(compareChanges).map((change, index) => ({
    index,
    tag: evidenceLine(change),
    concept: nameOf(change),
    tag_family: tagFamily(change, input),
  }));
}

/** The filings the lines of one registrant name, by the day they were filed (I1.13a). */
export function evidenceFilings(changes: readonly FactChange[], { cik }: { cik: string }): EvidenceFiling[] {
  return [...new Map(changes.map((change) => [change.accession, change])).values()]
    .toSorted((a, b) => compareText(a.filed ?? '', b.filed ?? '') || compareText(a.accession, b.accession))
    .map(({ accession }) => ({
      accession_number: accession,
      filing_url: filingUrl({ cik, accession }),
    }));
}

/** Total, so that pages are stable: what follows the accession only tells rows of one filing apart. */
export function compareChanges(a: FactChange, b: FactChange): number {
  return (
    compareText(nameOf(a), nameOf(b)) ||
    compareText(a.end, b.end) ||
    compareText(a.accession, b.accession) ||
    compareText(a.start ?? '', b.start ?? '') ||
    compareText(a.unit, b.unit) ||
    compareText(a.kind, b.kind) ||
    compareText(String(a.after ?? a.before), String(b.after ?? b.before))
  );
}

function nameOf(change: FactChange): string {
  return `${change.taxonomy}:${change.concept}`;
}

/** How a fact row differs from the baseline; a restated row is an added one (M6.2). */
const changeKinds = ['added', 'removed', 'revised'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** One changed fact row with its key K (M6.1); amounts hold every filed digit. */
export type FactChange = {
  readonly kind: ChangeKind;
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  /** null for an instant. */
  readonly start: string | null;
  readonly end: string;
  readonly accession: string;
  readonly form: string | null;
  readonly filed: string | null;
  /** null when added. */
  readonly before: ExactDecimal | null;
  /** null when removed. */
  readonly after: ExactDecimal | null;
  /** True for an added row whose series already had another value. */
  readonly restated: boolean;
  /** The newest earlier value of the series of an added row; null when there was none. */
  readonly prior: ExactDecimal | null;
};
