import { noteMeanings } from '../../data/contract/meanings/noteMeanings.ts';
import { accessionText } from '../../data/contract/values/accessionText.ts';
import { tierMeaning } from '../../data/contract/values/disclaimer.ts';
import { filingUrl } from '../../data/contract/values/filingUrl.ts';

import type { IssuerLabel } from './findRow.ts';
import { phrase } from './trailWords.ts';

/** What a row says, in words: filing and where to read it, ratio and tier as filed and live, quality, each note. */
export function explainHead({
  issuer,
  stress,
  slice,
}: {
  readonly issuer: IssuerLabel;
  readonly stress: Readonly<Record<string, unknown>>;
  readonly slice: string;
}): string[] {
  const has = (name: string) => stress[name] !== undefined && stress[name] !== null;
  const member = (name: string) => (has(name) ? String(stress[name]) : '–');
  const accession = member('accession_number');
  const url = filingUrl({ cik: issuer.cik, accession });
  const arcs =
    stress['is_linkbase_backed'] === true
      ? `read through ${member('calculation_arc_count')} arcs of its calculation linkbase${stress['arcs_authored'] === true ? ', authored by the project and not filed' : ''}`
      : 'read without a calculation linkbase';
  const notes = Array.isArray(stress['data_quality_notes']) ? stress['data_quality_notes'].map(String) : [];
  return [
    `${issuer.ticker ?? issuer.cik}  ${issuer.name}  CIK ${issuer.cik}`,
    `${member('filing_form')} ${accessionText(accession)}, period ${member('period')}; ${slice}`,
    ...(url === null ? [] : [url]),
    `as filed: debt is ${member('stress_50pct')} of the coins after a 50 % fall, risk tier ${member('risk_tier')}`,
    has('live_stress_50pct')
      ? `live: ${member('live_stress_50pct')} at the closes of ${member('source_date')}, risk tier ${member('live_risk_tier')}`
      : 'live: not known, the slice has no close for these coins',
    tierMeaning,
    `quality ${member('quality_flag')}, core tier ${member('core_tier')}; ${member('resolution_status').replaceAll('_', ' ')}, ${arcs}`,
    ...notes.map((note) => `note: ${noteWords(note)}`),
  ];
}

/** Words, what the note names or counts, and its code last. */
function noteWords(note: string): string {
  const [code = '', ...rest] = note.split(':');
  const meaning = Object.hasOwn(noteMeanings, code) ? noteMeanings[code] : undefined;
  if (meaning === undefined) return note;
  if (rest.length === 0) return `${meaning} (${code})`;
  return `${meaning.replace(/\.$/, '')}: ${phrase(rest.join(':'))} (${code})`;
}
