import { alphaOpportunitiesAudit } from '../../../data/contract/payloads/universe/alphaOpportunitiesAudit.ts';
import { assembleObject, type MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import type { ListRows } from '../../../data/store/bytes/listRows.ts';
import { storedMembers } from '../../body/openBodies.ts';
import { askedRelease, notHeld, selectRows, storedRows } from '../rows/storedRows.ts';
import { cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import { viewServable } from '../servable/servableOf.ts';

type Audit = ListRows<typeof alphaOpportunitiesAudit.stored.rows>;

/** R07: the stored summary of one board view, with samples and rows picked from the audit rows (I4.R07.2, M5.19). */
export async function findAlphaAudit(input: FindInput): Promise<Found> {
  const release = await askedRelease(input);
  return cachedView(input, { release }, async (view) => {
    const type = input.params.values.get('issuer_type');
    const slice = release.sourceDate;
    const { object, rows: store } = alphaOpportunitiesAudit.stored;
    const key = object.key({ slice, variant: typeof type === 'string' ? type : 'default' });
    const summary = await release.object(key);
    if (summary === null) throw await notHeld(input, release, key);
    const { list, sources } = await storedRows(input, { release, store, key: store.key({ slice }) });
    const members = new Map<string, MemberValue>(storedMembers(summary.bodies));
    for (const [member, picked] of Object.entries(samplesOf(input, list)))
      members.set(member, picked.map(list.line));
    return viewServable({
      route: input.route,
      release,
      sources: [summary.entry, ...sources],
      open: assembleObject(members),
      view,
      subject: null,
    });
  });
}

function samplesOf({ params }: FindInput, list: Audit): Record<string, readonly number[]> {
  const limit = Number(params.values.get('limit'));
  const type = params.values.get('issuer_type');
  // the default view explains every row, the ones the default board leaves out included
  const wanted = typeof type === 'string' && type !== 'all' ? type : null;
  const all = selectRows(list, wanted === null ? [] : [['issuer_type', (value) => value === wanted]]);
  const gates = list.column('failed_gate');
  const ranks = list.column('board_rank').map(Number);
  const deltas = list.column('rank_delta').map(Number);
  const at = (numbers: readonly number[], row: number): number => numbers[row] ?? 0;
  const onBoard = all.filter((row) => gates[row] === null).sort((a, b) => at(ranks, a) - at(ranks, b));
  const demoted = onBoard
    .filter((row) => at(deltas, row) < 0)
    .sort((a, b) => at(deltas, a) - at(deltas, b) || at(ranks, a) - at(ranks, b));
  const samples = {
    excluded_from_default_sample: all.filter((row) => gates[row] !== null).slice(0, limit),
    demoted_rows_sample: demoted.slice(0, limit),
    top_raw_alpha_sample: all.slice(0, limit),
    top_board_rank_sample: onBoard.slice(0, limit),
  };
  return params.values.get('include_rows') === true ? { ...samples, rows: all } : samples;
}
