import type { MemberValue } from '../body/assembleObject.ts';
import { assembleObject, closed, listOf } from '../body/assembleObject.ts';
import { storedMembers } from '../body/storedMembers.ts';
import { askedAudit, auditedRows } from './auditedRows.ts';
import { cachedView } from './cachedView.ts';
import type { FindInput, Found } from './findInput.ts';
import { viewServable } from './servableOf.ts';

/** R20: the stored audit of a product, with a page of the factor rows it rests on (I4.R20.2). */
export async function findEtfAudit(input: FindInput): Promise<Found> {
  const { route, params } = input;
  const asked = await askedAudit(input);
  const { release, audit, lookup } = asked;
  const { product } = asked.product;
  const about = `${product} ${lookup?.asked ?? ''}`;
  return cachedView(input, { release, about, lookup }, async (view) => {
    const history = await auditedRows(input, { ...asked, form: 'compact' });
    const exported = {
      row_count: history.page.total,
      route: `GET /v1/synthetic-etf/audit/${product}/export`,
      payload_sha256: null,
    };
    const page = new Map<string, MemberValue>([
      ['rows', { stored: listOf(history.rows) }],
      ['page', { made: { ...history.page } }],
      ['export', { made: params.values.get('include_export') === true ? exported : null }],
    ]);
    const members = new Map<string, MemberValue>([
      ['factor_history', { stored: closed(assembleObject(page)) }],
    ]);
    for (const [name, stored] of storedMembers(audit.bodies)) members.set(name, { stored });
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
