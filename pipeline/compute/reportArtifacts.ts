import { builtMembers, companyReport, type LegState } from '../../calculators/report/companyReport.ts';
import { type LegName, legNames, reportDepth } from '../../data/contract/billing/reportDepth.ts';
import type { NotFoundReason } from '../../data/contract/errors/problem.ts';
import { indexKeyOf, readSegmentIndex, type SegmentShare } from '../../data/contract/history/segmentIndex.ts';
import { readSegmentList } from '../../data/contract/history/segmentList.ts';
import type { CompanyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import {
  type IssuerFieldMapFrame,
  issuerFieldMap,
} from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { companyReport as payload } from '../../data/contract/payloads/reports/companyReport.ts';
import {
  outputModes,
  partsVariant,
  type ReportChoice,
  type ReportLeg,
  reportLegs,
  reportVariant,
} from '../../data/contract/payloads/reports/reportLegs.ts';
import type { AnyHistory } from '../../data/contract/payloads/stored.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { UnrankedReason } from '../../data/contract/values/enums.ts';
import { composeLeg, evidenceOf } from '../../data/store/bytes/composeReport.ts';
import { type Artifact, artifactVersion, sha256Hex } from '../release/artifact.ts';
import { singleArtifact } from '../release/validated.ts';

/** One issuer of the slice, with what its report says beside its legs. */
export type ReportSubject = {
  readonly stress: CovenantStress;
  readonly fundamentals: CompanyFundamentals;
  readonly unranked: UnrankedReason | null;
  /** Instants its legs say they were computed at, by leg; null where one does not say. */
  readonly computedAt: Readonly<Partial<Record<LegName, string | null>>>;
};

type Release = {
  readonly sourceDate: string;
  readonly asOf: string;
  readonly sliceStatus: 'complete' | 'partial';
  readonly made: ReadonlyMap<string, Artifact>;
};

/**
 * Makes the stored reports of a slice (I4.R29.2): of an issuer one for every output mode and choice of parts that its
 * filing has. Legs are read from the artifacts of the same release, so that none of them can say something else than its
 * route.
 *
 * @returns the reports of an issuer, none with fewer legs than one is made of; it throws IssuerError `validation_failed`
 * when a report does not hold its schema
 * @throws RangeError when the stored points do not fit their index
 */
export function reportArtifacts(release: Release): (subject: ReportSubject) => Artifact[] {
  const slice = release.sourceDate;
  const points = storedPoints(release.made, { history: issuerFieldMap.stored.points, slice });
  return (subject) =>
    choicesOf(subject).flatMap((choice) => reportOf({ ...release, points }, { subject, choice }));
}

/** The keys of the reports of an issuer. */
export function reportKeys(slice: string, subject: ReportSubject): string[] {
  return choicesOf(subject).map((choice) =>
    payload.stored.object.key({ slice, cik: subject.stress.cik, variant: reportVariant(choice) }),
  );
}

function choicesOf({ fundamentals }: ReportSubject): ReportChoice[] {
  const of = (available: boolean) => (available ? [false, true] : [false]);
  const { segment_data: segmentData, related_party_transactions: transactions } = fundamentals;
  return outputModes.flatMap((outputMode) =>
    of(segmentData.available).flatMap((segments) =>
      of(transactions.available).map((relatedParty) => ({ outputMode, segments, relatedParty })),
    ),
  );
}

type Made = Release & { readonly points: StoredRowsOf | null };

function reportOf(
  release: Made,
  { subject, choice }: { subject: ReportSubject; choice: ReportChoice },
): Artifact[] {
  const found = new Map(
    reportLegs.flatMap((leg) => {
      const one = legOf(release, { leg, choice, cik: subject.stress.cik });
      return one === null ? [] : [[leg.name, one] as const];
    }),
  );
  const map = found.get('spectra_field_map');
  const depth = reportDepth({
    legs: new Set(found.keys()),
    mapped: map?.figures.shown ?? false,
    segments: choice.segments,
    relatedParty: choice.relatedParty,
    full: map?.figures.added ?? false,
  });
  if (depth === null) return [];
  const legs = new Map([...found].map(([name, { bytes }]) => [name, bytes]));
  const { sourceDate, asOf, sliceStatus } = release;
  const value = companyReport({
    sourceDate,
    asOf,
    sliceStatus,
    stress: subject.stress,
    fieldMap: map === undefined ? null : frameOf(map.artifact),
    points: map?.points ?? { shown: 0, stored: 0 },
    legs: new Map(legNames.map((name) => [name, stateOf(found.get(name), { sourceDate, subject, name })])),
    depth,
    evidenceHash: sha256Hex(evidenceOf(legNames, legs)),
  });
  const parts = { slice: sourceDate, cik: subject.stress.cik, variant: reportVariant(choice) };
  return [singleArtifact(payload.stored.object, { parts, value })];
}

/** A leg as it stands in the report. */
type FoundLeg = {
  readonly artifact: Artifact;
  readonly bytes: Buffer;
  readonly payloadSha256: string;
  readonly points: { readonly shown: number; readonly stored: number };
  /** Whether a point that is shown has a figure, and one that a compact report does not show. */
  readonly figures: { readonly shown: boolean; readonly added: boolean };
};

/** A level of a point. The change `delta_L` is that of two rows of core history, and alone it maps nothing. */
const figure = /"(?:E_total|R_s|field_pressure|stored_energy|price_echo)":-?\d/;
const hasFigure = (rows: readonly Buffer[]) => rows.some((row) => figure.test(row.toString('latin1')));

function legOf(
  { made, points, sourceDate, sliceStatus }: Made,
  { leg, choice, cik }: { leg: ReportLeg; choice: ReportChoice; cik: string },
): FoundLeg | null {
  const variant = leg.name === 'company_fundamentals' ? partsVariant(choice) : '';
  const artifact = made.get(leg.key({ slice: sourceDate, cik, variant }));
  if (artifact === undefined) return null;
  const { newest } = leg;
  const all = newest === null ? [] : (points?.(cik, { most: newest.most.full }) ?? []);
  const rows = newest === null ? [] : all.slice(-newest.most[choice.outputMode]);
  const bytes = composeLeg(leg, {
    artifact: Buffer.from(artifact.bytes).subarray(0, -1),
    rows,
    added: Buffer.from(canonicalJson(builtMembers(sliceStatus)[leg.name])),
    mode: choice.outputMode,
  });
  return {
    artifact,
    bytes,
    // members that no artifact holds are no part of the hash (I4.32)
    payloadSha256: sha256Hex(newest === null ? artifact.bytes : bytes),
    points: { shown: rows.length, stored: all.length },
    figures: {
      shown: hasFigure(rows),
      added: newest !== null && hasFigure(rows.slice(0, -newest.most.compact)),
    },
  };
}

function stateOf(
  found: FoundLeg | undefined,
  { sourceDate, subject, name }: { sourceDate: string; subject: ReportSubject; name: LegName },
): LegState {
  if (found === undefined) return { status: 'unavailable', ...missing(name, subject) };
  const { key, bytes } = found.artifact;
  return {
    status: 'ok',
    artifactKey: key,
    artifactVersion: artifactVersion(sourceDate, sha256Hex(bytes)),
    payloadSha256: found.payloadSha256,
    computedAt: subject.computedAt[name] ?? null,
  };
}

function missing(
  name: LegName,
  { unranked }: ReportSubject,
): { readonly code: NotFoundReason; readonly detail: string } {
  if (name === 'peer_ranking' && unranked !== null)
    return { code: 'issuer_not_ranked', detail: `The slice has no rank of it (${unranked}).` };
  if (name === 'spectra_field_map')
    return { code: 'historical_field_map_missing', detail: 'No field map of it is stored.' };
  return { code: 'no_artifact_for_source_date', detail: 'The slice does not hold it.' };
}

function frameOf({ bytes }: Artifact): IssuerFieldMapFrame {
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as IssuerFieldMapFrame;
}

/** The rows of a history in a release that is being made: of one subject, the newest, oldest first. */
type StoredRowsOf = (subject: string, o: { readonly most: number }) => readonly Buffer[];

/**
 * Opens a history whose rows have one form, from the artifacts that hold it.
 *
 * @returns null where they hold no list of it
 * @throws RangeError when a segment does not fit its index
 */
export function storedPoints(
  made: ReadonlyMap<string, Artifact>,
  { history, slice }: { history: AnyHistory; slice: string },
): StoredRowsOf | null {
  const list = made.get(history.listKey({ slice }));
  if (list === undefined) return null;
  const segments = read(readSegmentList, list).segments.map(({ key }) => ({
    bytes: bytesOf(artifactAt(made, key)),
    shares: read(readSegmentIndex, artifactAt(made, indexKeyOf(key))).shares,
  }));
  return (subject, { most }) => {
    const newest: Buffer[][] = [];
    let found = 0;
    for (const { bytes, shares } of segments.toReversed()) {
      const share = shares.get(subject);
      if (share === undefined || found >= most) continue;
      const rows = linesOf(bytes, share);
      newest.push(rows);
      found += rows.length;
    }
    return newest.reverse().flat().slice(-most);
  };
}

function artifactAt(made: ReadonlyMap<string, Artifact>, key: string): Artifact {
  const found = made.get(key);
  if (found === undefined) throw new RangeError(`${key} is listed and was not made`);
  return found;
}

function bytesOf({ bytes }: Artifact): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function read<T>(
  reader: (json: unknown) => { readonly value: T } | { readonly fault: string },
  artifact: Artifact,
): T {
  const found = reader(JSON.parse(bytesOf(artifact).toString('utf8')));
  if ('fault' in found) throw new RangeError(`${artifact.key}: ${found.fault}`);
  return found.value;
}

/** Rows without their line ends. */
function linesOf(bytes: Buffer, { start, end }: SegmentShare): Buffer[] {
  const rows: Buffer[] = [];
  for (let at = start; at < end; ) {
    const lineEnd = bytes.indexOf(0x0a, at);
    rows.push(bytes.subarray(at, lineEnd));
    at = lineEnd + 1;
  }
  return rows;
}
