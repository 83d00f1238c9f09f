import {
  assembleObject,
  closed,
  listOf,
  type MemberValue,
} from '../../../data/store/bytes/assembleObject.ts';
import { storedMembers } from '../../body/storedMembers.ts';
import type { FindInput, Found } from '../servable/findInput.ts';
import { auditView } from './auditView.ts';

/** R20: the stored audit of a product, with a page of the factor rows it rests on (I4.R20.2). */
export function findEtfAudit(input: FindInput): Promise<Found> {
  const withExport = input.params.values.get('include_export') === true;
  return auditView(input, {
    form: 'compact',
    membersOf({ audit, product: { product } }, { page, rows }) {
      const exported = {
        row_count: page.total,
        route: `GET /v1/synthetic-etf/audit/${product}/export`,
        payload_sha256: null,
      };
      const history = new Map<string, MemberValue>([
        ['rows', { stored: listOf(rows) }],
        ['page', { made: { ...page } }],
        ['export', { made: withExport ? exported : null }],
      ]);
      const members = new Map<string, MemberValue>([
        ['factor_history', { stored: closed(assembleObject(history)) }],
      ]);
      for (const [name, stored] of storedMembers(audit.bodies)) members.set(name, { stored });
      return members;
    },
  });
}
