import { exportBoundary } from '../../../data/contract/payloads/market/etfAuditExport.ts';
import type { MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import { storedMembers } from '../../body/storedMembers.ts';
import type { FindInput, Found } from '../servable/findInput.ts';
import { auditView } from './auditView.ts';

const repeated = [
  'product',
  'display_name',
  'method_version',
  'source_date',
  'observed_bucket_utc',
  'computed_at_utc',
  'quality_flags',
  'caveats',
];

/** R21: which stored audit the rows belong to, and a page of them with their hashes (I4.R21.2, I2.66). */
export function findEtfAuditExport(input: FindInput): Promise<Found> {
  return auditView(input, {
    form: 'hashed',
    membersOf({ audit }, { page, rows, dates }) {
      const { key, version, sha256, bytes, media_type } = audit.entry;
      const artifact = { artifact_key: key, artifact_version: version, sha256, bytes, media_type };
      const members = new Map<string, MemberValue>([
        ['evidence_boundary', { made: exportBoundary }],
        ['artifact', { made: artifact }],
        ['rows', { rows }],
        ['page', { made: { ...page } }],
        ['source_dates', { made: [...dates] }],
      ]);
      for (const [name, stored] of storedMembers(audit.bodies))
        if (repeated.includes(name)) members.set(name, { stored });
      return members;
    },
  });
}
