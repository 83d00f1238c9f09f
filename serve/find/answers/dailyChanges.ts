import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { MetaOf } from '../../../data/contract/payloads/stored.ts';
import {
  type DailyChangeEvidence,
  dailyChangeEvidence,
} from '../../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import { latestDailyChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import { assembleObject, type MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import { storedMembers } from '../../body/openBodies.ts';
import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import { PayloadMiss } from '../../problem/problemBody.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release, StoredRows } from '../../store/artifactStore.ts';
import { askedIssuer } from '../asked/askedIssuer.ts';
import { type Page, pageMeta, pageOf } from '../asked/askedRows.ts';
import { currentRelease, withdrawalSentence } from '../asked/selectRelease.ts';
import { deltaWindow } from '../rows/deltaWindow.ts';
import { selectRows, storedRows } from '../rows/storedRows.ts';
import { cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import type { Servable } from '../servable/servable.ts';
import { viewServable } from '../servable/servableOf.ts';

/** R02: the stored difference with a page of each list and the asked window (I4.R02.2–I4.R02.4). */
export async function findDailyChanges(input: FindInput): Promise<Found> {
  const release = await currentRelease(input.snapshot);
  return cachedView(input, { release }, async (view) => {
    const parts = { slice: release.sourceDate };
    const key = latestDailyChanges.stored.object.key(parts);
    const stored = await release.object(key);
    if (stored === null) throw unavailable(key, 'the release does not list it');
    const store = latestDailyChanges.stored.rows;
    const { list, sources } = await storedRows(input, { release, store, key: store.key(parts) });
    const lists = (['changed', 'new'] as const).map((name) => ({
      name,
      rows: selectRows(list, [['list', (value) => value === name]]),
    }));
    const page = pageOf(Math.max(...lists.map(({ rows }) => rows.length)), input.params);
    const members = new Map<string, MemberValue>();
    for (const [member, bytes] of storedMembers(stored.bodies)) members.set(member, { stored: bytes });
    for (const { name, rows } of lists) {
      const picked = rows.slice(page.offset, page.offset + page.limit);
      members.set(`${name}_companies`, { rows: picked.map(list.line) });
      members.set(`${name}_companies_page`, {
        made: pageMeta(page, { count: picked.length, total: rows.length }),
      });
    }
    const window = await deltaWindow({
      release,
      from: text(input, 'date_from'),
      to: text(input, 'date_to'),
      known: list.meta,
    });
    members.set('companyfacts_delta_window', { stored: window.bytes });
    return viewServable({
      route: input.route,
      release,
      sources: [stored.entry, ...sources, ...window.sources],
      open: assembleObject(members),
      view,
      subject: null,
    });
  });
}

function text({ params }: FindInput, name: string): string | null {
  const value = params.values.get(name);
  return typeof value === 'string' ? value : null;
}

type Evidence = StoredRows<typeof dailyChangeEvidence.stored.rows> & { readonly release: Release };

/**
 * R03: a page of the evidence lines of one issuer (I4.R03.2–I4.R03.5). Without `source_date` the lines of the delta
 * the current slice shows.
 *
 * @throws PayloadMiss for an unknown issuer and for a day without evidence.
 */
export async function findDailyEvidence(input: FindInput): Promise<Found> {
  const { params, snapshot } = input;
  const text = (name: string): string | null => {
    const value = params.values.get(name);
    return typeof value === 'string' ? value : null;
  };
  const asked = { cik: text('cik'), ticker: text('ticker'), sourceDate: text('source_date') };
  const current = await currentRelease(snapshot);
  const resolved = await known(() => askedIssuer(input, current));
  const release = asked.sourceDate === null ? current : await snapshot.ofDate(asked.sourceDate);
  const evidence = resolved === null || release === null ? null : await evidenceOf(release, resolved);
  const why = asked.sourceDate === null ? null : withdrawalSentence(snapshot, asked.sourceDate);
  if (resolved === null || evidence === null) throw evidenceMiss(asked, why);
  const { meta, count } = evidence.list;
  if (asked.sourceDate !== null && meta.source_date !== asked.sourceDate) throw evidenceMiss(asked, why);
  const page = pageOf(count, params);
  return cachedView(
    input,
    { release: evidence.release, about: resolved.issuer.cik, lookup: resolved.lookup },
    async (view) => pageServable(input, { ...evidence, page, view }),
  );
}

function pageServable(
  input: FindInput,
  { list, sources, page, release, view }: Evidence & { page: Page; view: string },
): Servable {
  const { meta, count: total } = list;
  const count = Math.max(0, Math.min(page.limit, total - page.offset));
  const lines = Array.from({ length: count }, (_, i) => list.line(page.offset + i));
  const { cik, ticker, entity_name, source_date } = meta;
  const { next_offset, ...here } = pageMeta(page, { count, total });
  const name = ticker === null ? { cik } : { ticker };
  const evidenceRef = {
    tool: 'intel_daily_change_evidence',
    route: 'GET /v1/daily-changes/evidence',
    args: { ...name, source_date, limit: page.limit, offset: page.offset },
  };
  const next =
    next_offset === undefined
      ? {}
      : {
          next_offset,
          next_tool: 'intel_daily_change_evidence',
          next_args: { ...name, source_date, limit: page.limit, offset: next_offset },
        };
  const open = assembleObject(
    new Map<string, MemberValue>([
      ['request_key', { made: 'daily_change_evidence' }],
      ['status', { made: 'ok' }],
      ['payload_mode', { made: 'evidence_drilldown' }],
      ['evidence_type', { made: 'companyfacts_tags' }],
      ['cik', { made: cik }],
      ['ticker', { made: ticker }],
      ['source_date', { made: source_date }],
      [
        'issuer',
        {
          made: { cik, entity_name, ticker, evidence_available: true, raw_tag_count: total, source_date },
        },
      ],
      ['page', { made: { ...here, ...next, evidence_ref: evidenceRef } }],
      ...filingsOf(meta),
      ['tags', { rows: lines }],
    ]),
  );
  return viewServable({
    route: input.route,
    release,
    sources,
    open,
    view,
    subject: { kind: 'issuer', ticker: ticker ?? cik },
    payloadMode: 'evidence_drilldown',
  });
}

/** The filings the lines name; none to say for a release of a build that did not link them. */
function filingsOf({
  filing_accession_numbers: accessions,
  filing_urls: urls,
}: MetaOf<typeof dailyChangeEvidence.stored.rows>): readonly [string, MemberValue][] {
  if (accessions === undefined || urls === undefined) return [];
  const filings = accessions.map((accession_number, i) => ({
    accession_number,
    filing_url: urls[i] ?? null,
  }));
  return [['filings', { made: filings }]];
}

async function evidenceOf(release: Release, { issuer }: ResolvedIssuer): Promise<Evidence | null> {
  const { rows } = dailyChangeEvidence.stored;
  const stored = await release.rows(rows, rows.key({ slice: release.sourceDate, cik: issuer.cik }));
  return stored === null || stored.list.count === 0 ? null : { release, ...stored };
}

// this route says a miss in its own words (I4.R03.5)
async function known(resolve: () => Promise<ResolvedIssuer | null>): Promise<ResolvedIssuer | null> {
  try {
    return await resolve();
  } catch (error) {
    if (error instanceof IssuerError && error.code === 'not_found') return null;
    throw error;
  }
}

/** The identifiers a request for evidence was sent with. */
type AskedEvidence = {
  readonly cik: string | null;
  readonly ticker: string | null;
  readonly sourceDate: string | null;
};

/**
 * The miss of an unknown issuer and of a day without evidence (I4.R03.5).
 *
 * @param why what is known of the day, a sentence
 */
function evidenceMiss({ cik, ticker, sourceDate }: AskedEvidence, why: string | null): PayloadMiss {
  const on = sourceDate === null ? '' : ` on ${sourceDate}`;
  const missed = `No daily-change evidence is stored for ${ticker ?? cik}${on}.`;
  const message = why === null ? missed : `${missed} ${why}`;
  const payload: DailyChangeEvidence = {
    request_key: 'daily_change_evidence',
    status: 'not_found',
    payload_mode: 'evidence_drilldown',
    evidence_type: 'companyfacts_tags',
    cik,
    ticker,
    source_date: sourceDate,
    message,
  };
  return new PayloadMiss({ message, payload });
}
