import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isReservedMember } from '../../data/contract/billing/billingEnvelope.ts';
import { legNames } from '../../data/contract/billing/reportDepth.ts';
import { companyReport } from '../../data/contract/payloads/reports/companyReport.ts';
import { reportLegs } from '../../data/contract/payloads/reports/reportLegs.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';

/** One thing that was checked of a report: what it is about, whether it holds, and what is said then. */
export type ReportCheck = { readonly holds: boolean; readonly text: string };

type Json = Readonly<Record<string, unknown>>;

const member = z.record(z.string(), z.unknown());
const { legs: legTable } = companyReport.schema.shape.data.shape;
const reportForm = z.looseObject({ data: z.looseObject({ legs: legTable }) });

/** True for the payload of a company report. */
export function isReport(payload: Json): boolean {
  return reportForm.safeParse(payload).success;
}

/**
 * Checks a report by its parts (I4.R29.2c): each leg by the hash that the report states of it and, without its legs, the
 * report by the hash of its artifact.
 *
 * @param payload the report without reserved members, numbers exact
 * @param artifact SHA-256 that the answer states of its artifact
 * @param listed hash of an artifact in the manifest by key; null without a manifest
 */
export function reportChecks(
  payload: Json,
  { artifact, listed }: { artifact: string; listed: ((key: string) => string | undefined) | null },
): ReportCheck[] {
  const { data } = reportForm.parse(payload);
  // a report of a slice before the newest leg has neither its member nor its row
  const named = legNames.filter((name) => Object.hasOwn(data, name));
  const legs = new Map(named.map((name) => [name, member.safeParse(data[name]).data ?? null]));
  const stated = data.legs.filter(({ status }) => status === 'ok');
  const foreign = stated.filter(({ name, payload_sha256: sha256 }) => {
    const leg = legs.get(name) ?? null;
    return leg === null || sha256Of(without(leg, isReservedMember)) !== sha256;
  });
  const frame = sha256Of({
    ...payload,
    data: {
      ...without(data, (name) => name === 'request'),
      ...Object.fromEntries([...legs].map(([name, leg]) => [name, leg === null ? null : reserved(leg)])),
    },
  });
  return [
    check(
      foreign.length === 0,
      `legs: each of the ${stated.length} has the SHA-256 that the report states of it`,
      `legs: ${foreign.map(({ name }) => name).join(', ')} has another SHA-256 than the report states`,
    ),
    check(
      frame === artifact,
      'report: without its legs it is the artifact that the answer names',
      `report: without its legs it has SHA-256 ${frame}, the answer states ${artifact}`,
    ),
    ...(listed === null ? [] : [manifestCheck(stated, listed)]),
  ];
}

/** Legs that are one artifact each stand in the manifest with their own hash. */
function manifestCheck(
  stated: z.infer<typeof legTable>,
  listed: (key: string) => string | undefined,
): ReportCheck {
  const whole = new Set(reportLegs.filter(({ newest }) => newest === null).map(({ name }) => name));
  const ofOneArtifact = stated.filter(({ name }) => whole.has(name));
  const foreign = ofOneArtifact.filter(
    ({ artifact_key: key, payload_sha256: sha256 }) => listed(key ?? '') !== sha256,
  );
  return check(
    foreign.length === 0,
    `legs: ${ofOneArtifact.length} are artifacts of that release as they stand`,
    `legs: ${foreign.map(({ name }) => name).join(', ')} is not in that release`,
  );
}

function check(holds: boolean, right: string, wrong: string): ReportCheck {
  return { holds, text: holds ? right : wrong };
}

function without(object: Json, leftOut: (name: string) => boolean): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !leftOut(name)));
}

function reserved(leg: Json): Json {
  return without(leg, (name) => !isReservedMember(name));
}

function sha256Of(value: Json): string {
  return createHash('sha256')
    .update(canonicalJson(value as CanonicalValue))
    .digest('hex');
}
