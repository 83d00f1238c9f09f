import { Buffer } from 'node:buffer';
import type { LegName } from '../../contract/billing/reportDepth.ts';
import type { CompanyReport } from '../../contract/payloads/reports/companyReport.ts';
import type { OutputMode, ReportLeg } from '../../contract/payloads/reports/reportLegs.ts';
import { assembleObject, closed, type MemberValue } from './assembleObject.ts';
import { objectMembers } from './objectMembers.ts';

// a company report from its stored parts: the night hashes what the server later puts together by the same functions

/**
 * One leg as it stands in a report: the artifact of its route with the rows that belong to it and the members that no
 * artifact holds.
 *
 * @param artifact stored bytes without the closing brace
 * @param rows newest rows of its history, oldest first; none for a leg that is one artifact
 * @param added what the frame says of it: an object of its serve-time members as of the build
 */
export function composeLeg(
  { newest, emptied }: Pick<ReportLeg, 'newest' | 'emptied'>,
  {
    artifact,
    rows,
    added,
    mode,
  }: { artifact: Buffer; rows: readonly Buffer[]; added: Buffer; mode: OutputMode },
): Buffer {
  if (newest === null && added.equals(nothingAdded)) return closed(artifact);
  const members = new Map<string, MemberValue>([...objectMembers(artifact), ...objectMembers(open(added))]);
  if (newest !== null) members.set(newest.member, rows);
  const cut = emptied === null || mode === 'full' ? undefined : members.get(emptied.member);
  if (emptied !== null && Buffer.isBuffer(cut)) {
    const inner = new Map<string, MemberValue>(objectMembers(open(cut))).set(emptied.list, []);
    members.set(emptied.member, closed(assembleObject(inner)));
  }
  return closed(assembleObject(members));
}

/** A stored report: its members, and what it says of each leg; null for a leg that is not there. */
export type OpenFrame = {
  readonly members: ReadonlyMap<string, Buffer>;
  readonly data: ReadonlyMap<string, Buffer>;
  leg(name: LegName): Buffer | null;
};

/** Cuts a stored report. @param bytes without the closing brace */
export function openFrame(bytes: Buffer): OpenFrame {
  const members = objectMembers(bytes);
  const data = objectMembers(open(members.get('data') ?? Buffer.from('{}')));
  return {
    members,
    data,
    leg(name) {
      const value = data.get(name);
      return value === undefined || value.equals(nothing) ? null : value;
    },
  };
}

/** The whole report without its closing brace, in canonical order. */
export function composeReport(
  { members, data }: OpenFrame,
  { legs, request }: { legs: ReadonlyMap<LegName, Buffer>; request: CompanyReport['data']['request'] },
): Buffer {
  const whole = new Map<string, MemberValue>([...data, ...legs, ['request', request]]);
  return assembleObject(new Map([...members, ['data', closed(assembleObject(whole))]]));
}

/** The object that `evidence_hash` is taken of: the legs by name, null for one that is not there (I2.68). */
export function evidenceOf(names: readonly LegName[], legs: ReadonlyMap<LegName, Buffer>): Buffer {
  return closed(assembleObject(new Map(names.map((name) => [name, legs.get(name) ?? nothing]))));
}

const nothing = Buffer.from('null');
const nothingAdded = Buffer.from('{}');

function open(object: Buffer): Buffer {
  return object.subarray(0, -1);
}
