import { assembleObject, type MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import { askedAudit, auditedRows } from '../rows/auditedRows.ts';
import { cachedView } from '../servable/cachedView.ts';
import type { FindInput, Found } from '../servable/findInput.ts';
import { viewServable } from '../servable/servableOf.ts';

type Rows = Awaited<ReturnType<typeof auditedRows>>;
type Audit = Awaited<ReturnType<typeof askedAudit>>;

/**
 * An answer put together from a product's stored audit and a page of the factor rows it rests on (I4.R20.2, I4.R21.2).
 *
 * @param form which stored form of a row the page shows
 * @param membersOf the members of the answer
 * @throws IssuerError as `askedAudit` and `auditedRows`
 */
export async function auditView(
  input: FindInput,
  {
    form,
    membersOf,
  }: {
    form: 'compact' | 'hashed';
    membersOf: (asked: Audit, history: Rows) => ReadonlyMap<string, MemberValue>;
  },
): Promise<Found> {
  const asked = await askedAudit(input);
  const { release, audit, lookup } = asked;
  const { product } = asked.product;
  const about = `${product} ${lookup?.asked ?? ''}`;
  return cachedView(input, { release, about, lookup }, async (view) => {
    const history = await auditedRows(input, { ...asked, form });
    return viewServable({
      route: input.route,
      release,
      sources: [audit.entry, ...history.sources],
      open: assembleObject(membersOf(asked, history)),
      view,
      subject: { kind: 'product', product },
      payloadMode: 'audit',
    });
  });
}
