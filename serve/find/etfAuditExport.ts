import { exportBoundary } from '../../contract/payloads/etfAuditExport.ts';
import type { MemberValue } from '../body/assembleObject.ts';
import { assembleObject } from '../body/assembleObject.ts';
import { storedMembers } from '../body/storedMembers.ts';
import { askedAudit, auditedRows } from './auditedRows.ts';
import { cachedView } from './cachedView.ts';
import type { FindInput, Found } from './findInput.ts';
import { viewServable } from './servableOf.ts';

const repeated = [
  'product',
  'display_name',
  'method_version',
  'source_date',
  'computed_at_utc',
  'quality_flags',
  'caveats',
];

/** R21: which stored audit the rows belong to, and a page of them with their hashes (I4.R21.2, I2.66). */
export async function findEtfAuditExport(input: FindInput): Promise<Found> {
  const { route } = input;
  const asked = await askedAudit(input);
  const { release, audit, lookup } = asked;
  const { product } = asked.product;
  const about = `${product} ${lookup?.asked ?? ''}`;
  return cachedView(input, { release, about, lookup }, async (view) => {
    const history = await auditedRows(input, { ...asked, form: 'hashed' });
    const { key, version, sha256, bytes, media_type } = audit.entry;
    const artifact = { artifact_key: key, artifact_version: version, sha256, bytes, media_type };
    const members = new Map<string, MemberValue>([
      ['evidence_boundary', { made: exportBoundary }],
      ['artifact', { made: artifact }],
      ['rows', { rows: history.rows }],
      ['page', { made: { ...history.page } }],
      ['source_dates', { made: [...history.dates] }],
    ]);
    for (const [name, stored] of storedMembers(audit.bodies))
      if (repeated.includes(name)) members.set(name, { stored });
    return viewServable({
      route,
      release,
      sources: [audit.entry, ...history.sources],
      open: assembleObject(members),
      view,
      subject: { kind: 'product', product },
      payloadMode: 'audit',
    });
  });
}
