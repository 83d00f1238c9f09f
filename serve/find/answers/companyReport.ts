import { type LegName, reportDepth } from '../../../data/contract/billing/reportDepth.ts';
import {
  type CompanyReport,
  companyReport,
  evidenceHashVersion,
} from '../../../data/contract/payloads/reports/companyReport.ts';
import {
  type OutputMode,
  type ReportChoice,
  type ReportLeg,
  reportLegs,
  reportVariants,
} from '../../../data/contract/payloads/reports/reportLegs.ts';
import type { ManifestEntry } from '../../../data/contract/release/releaseFiles.ts';
import type { SubjectMiss } from '../../../data/contract/routes/answer.ts';
import {
  composeLeg,
  composeReport,
  type OpenFrame,
  openFrame,
} from '../../../data/store/bytes/composeReport.ts';
import { sha256Hex } from '../../body/openBodies.ts';
import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import { missError } from '../../problem/missError.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release, StoredObject } from '../../store/artifactStore.ts';
import { namedIssuer } from '../asked/askedIssuer.ts';
import { currentRelease, nearestNights } from '../asked/selectRelease.ts';
import { issuerMiss, issuerSlice } from '../rows/issuerSlice.ts';
import { newestRows } from '../rows/storedHistory.ts';
import { cachedView, type FindInput, type Found } from '../servable/findInput.ts';
import { type Servable, storedPrice } from '../servable/servable.ts';
import { bytesServable, viewServable } from '../servable/servableOf.ts';

const miss: SubjectMiss = {
  reasonCode: 'report_legs_unavailable',
  sentence: 'has fewer parts of a report than one is made of in the slice',
  hint: 'GET /v1/covenant-stress/{ticker} shows what is known of it.',
};

/**
 * R29, R30: the stored frame of a report with its legs in it, each from the artifact of its own route in the same
 * release and proved by the hash that the frame states (I4.R29.2a).
 */
export async function findCompanyReport(input: FindInput): Promise<Found> {
  const current = await currentRelease(input.snapshot);
  const resolved = await namedIssuer(input, current);
  const release = await issuerSlice(input, { current, resolved });
  const { issuer, ticker, lookup } = resolved;
  return cachedView(input, { release, about: issuer.cik, lookup }, async (view) => {
    const choice = choiceOf(input);
    const stored = await storedReport(release, { cik: issuer.cik, choice });
    if (stored === null) throw await missOf(input, { release, resolved });
    const format = input.params.values.get('format');
    if (format === 'html' || format === 'pdf') return pageOf(input, { release, resolved, stored, format });
    const frame = openFrame(stored.bodies.body('identity').bytes);
    const made = await legsOf(release, { stored, frame, cik: issuer.cik, mode: choice.outputMode });
    const covenant = made.legs.get('covenant_stress');
    return viewServable({
      route: input.route,
      release,
      sources: [stored.entry, ...made.sources],
      open: composeReport(frame, { legs: made.legs, request: requestOf({ ticker, release, choice }) }),
      view,
      subject: { kind: 'issuer', ticker },
      payloadMode: choice.outputMode,
      price: storedPrice(input.route, stored),
      evidence: { hash: textOf(frame, 'evidence_hash'), version: evidenceHashVersion },
      ...(covenant === undefined ? {} : { cautioned: covenant.subarray(0, -1) }),
    });
  });
}

/** The page of the report, at the price of the report it shows (I4.R29.7). */
async function pageOf(
  input: FindInput,
  {
    release,
    resolved: { issuer, ticker },
    stored,
    format,
  }: { release: Release; resolved: ResolvedIssuer; stored: StoredObject; format: 'html' | 'pdf' },
): Promise<Servable> {
  const { key, fileName } = companyReport.stored[format];
  const parts = { slice: release.sourceDate, cik: issuer.cik };
  const page = await release.bytes(key(parts));
  if (page === null)
    throw missError(input.route, {
      reasonCode: 'not_published',
      message: `The slice of ${release.sourceDate} holds no ${format} page of ${issuer.name}.`,
      hint: 'Ask for format=json, or for another slice.',
      ticker,
      nearestSourceDates: await nearestNights(input.snapshot, release.sourceDate, (other) =>
        other.has(key({ ...parts, slice: other.sourceDate })),
      ),
    });
  return bytesServable({
    route: input.route,
    release,
    subject: { kind: 'issuer', ticker },
    stored: page,
    fileName: fileName?.(parts) ?? null,
    price: storedPrice(input.route, stored),
  });
}

function choiceOf({ params: { values } }: FindInput): ReportChoice {
  return {
    outputMode: values.get('output_mode') === 'full' ? 'full' : 'compact',
    segments: values.get('include_segments') === true,
    relatedParty: values.get('include_related_party') === true,
  };
}

function requestOf({
  ticker,
  release,
  choice,
}: {
  ticker: string;
  release: Release;
  choice: ReportChoice;
}): CompanyReport['data']['request'] {
  return {
    ticker,
    source_date: release.sourceDate,
    include_segments: choice.segments,
    include_related_party: choice.relatedParty,
    output_mode: choice.outputMode,
  };
}

/** The stored report that holds most of what was asked for; null where the release holds none of the issuer. */
async function storedReport(
  release: Release,
  { cik, choice }: { cik: string; choice: ReportChoice },
): Promise<StoredObject | null> {
  const slice = release.sourceDate;
  const keys = reportVariants(choice).map((variant) =>
    companyReport.stored.object.key({ slice, cik, variant }),
  );
  const key = keys.find((one) => release.has(one));
  return key === undefined ? null : release.object(key);
}

// a night that made reports leaves out issuers with too few legs and reports that could not be made (M6.6c); one before
// there were reports has none at all
async function missOf(
  input: FindInput,
  { release, resolved }: { release: Release; resolved: ResolvedIssuer },
): Promise<Error> {
  const { cik } = resolved.issuer;
  const slice = release.sourceDate;
  const keyOn = (date: string) => companyReport.stored.object.key({ slice: date, cik, variant: 'compact' });
  const key = keyOn(slice);
  const legs = reportLegs.filter((leg) => release.has(leg.key({ slice, cik, variant: '' })));
  const names = new Set(legs.map(({ name }) => name));
  const couldBe =
    reportDepth({ legs: names, mapped: false, segments: false, relatedParty: false, full: false }) !== null;
  if (couldBe)
    return missError(input.route, {
      reasonCode: 'no_artifact_for_source_date',
      message: `The slice of ${slice} holds no report of ${resolved.issuer.name}.`,
      hint: 'Ask for one of nearest_source_dates; the routes of its parts answer for this slice.',
      ticker: resolved.ticker,
      nearestSourceDates: await nearestNights(input.snapshot, slice, (other) =>
        other.has(keyOn(other.sourceDate)),
      ),
    });
  return issuerMiss(input, { release, resolved, answer: { miss, rows: null }, key });
}

type Asked = { stored: StoredObject; frame: OpenFrame; cik: string; mode: OutputMode };

/** The legs that the frame says are there, as they stand in the report. @throws IssuerError `artifact_unavailable` */
async function legsOf(
  release: Release,
  asked: Asked,
): Promise<{ legs: ReadonlyMap<LegName, Buffer>; sources: readonly ManifestEntry[] }> {
  const table = listedLegs(asked);
  const found = await Promise.all(
    reportLegs.flatMap((leg) => {
      const added = asked.frame.leg(leg.name);
      const listed = table.get(leg.name) ?? null;
      if (added === null && listed === null) return [];
      // a price for a leg that is not there, or a leg that is none
      if (added === null || listed === null)
        throw unavailable(asked.stored.entry.key, `its table is wrong about ${leg.name}`);
      return [legOf(release, { ...asked, leg, added, listed })];
    }),
  );
  return {
    legs: new Map(found.map(({ name, bytes }) => [name, bytes])),
    sources: found.flatMap(({ sources }) => sources),
  };
}

type ListedLeg = { readonly key: string; readonly sha256: string };

async function legOf(
  release: Release,
  { leg, added, listed, stored, cik, mode }: Asked & { leg: ReportLeg; added: Buffer; listed: ListedLeg },
) {
  const artifact = await release.object(listed.key);
  if (artifact === null) throw unavailable(listed.key, 'the release does not list it');
  const { newest } = leg;
  const { rows, entries } =
    newest === null
      ? { rows: [], entries: [] }
      : await newestRows(release, { history: newest.history, most: newest.most[mode] }, cik);
  const open = artifact.bodies.body('identity').bytes;
  const bytes = composeLeg(leg, { artifact: open, rows, added, mode });
  // members that no artifact holds are no part of the hash (I4.32)
  const proved = newest === null ? artifact.entry.sha256 : sha256Hex(bytes);
  if (proved !== listed.sha256) throw unavailable(stored.entry.key, `its ${leg.name} is another one`);
  return { name: leg.name, bytes, sources: [artifact.entry, ...entries] };
}

/** What the table of legs of a stored report says of those that are there. */
function listedLegs({ stored, frame }: Asked): ReadonlyMap<string, ListedLeg> {
  const { legs } = companyReport.stored.object.schema.shape.data.shape;
  const parsed = legs.safeParse(JSON.parse(frame.data.get('legs')?.toString('utf8') ?? 'null'));
  if (!parsed.success) throw unavailable(stored.entry.key, 'it does not list its legs');
  return new Map(
    parsed.data.flatMap(({ name, artifact_key: key, payload_sha256: sha256 }) =>
      key === null || sha256 === null ? [] : [[name, { key, sha256 }] as const],
    ),
  );
}

function textOf({ data }: OpenFrame, name: string): string {
  return String(JSON.parse(data.get(name)?.toString('utf8') ?? 'null'));
}
