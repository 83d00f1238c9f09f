import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isReservedMember } from '../../data/contract/billing/billingEnvelope.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { artifactManifest } from '../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sha256 } from '../../data/contract/values/primitives.ts';
import { keyIdOf } from '../../data/store/files/publishedKeys.ts';
import { isReport, reportChecks } from '../audit/reportChecks.ts';
import { boundedJson } from '../http/boundedJson.ts';
import { verifyManifest } from '../store/verifySigned.ts';

/** Checks a saved answer by saved files. @throws IssuerError `input_missing` for a file that cannot be read */
export async function verifyFiles({
  answer,
  manifest,
  publicKey,
}: {
  answer: string;
  manifest: string | null;
  publicKey: string | null;
}): Promise<Verification> {
  return verifyAnswer({
    answer: await bytesOf(answer),
    manifest: manifest === null ? null : await bytesOf(manifest),
    publicKey,
  });
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new IssuerError({
      code: 'input_missing',
      message: `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      hint: 'Name the saved body of an answer, and of the manifest of its release.',
    });
  }
}

/** What of a saved answer was proven, a line each; `ok` is false as soon as one line says otherwise. */
type Verification = { readonly ok: boolean; readonly lines: readonly string[] };

const metadata = z.looseObject({
  payload_sha256: sha256,
  artifact_key: z.string(),
  artifact_sha256: sha256,
});
const answerForm = z.looseObject({ response_metadata: metadata });

/**
 * Checks a saved answer away from the server: the payload against its own hash (I4.32) and, with the manifest of its
 * release, its artifact and the signature over it (I9.16).
 *
 * @param manifest bytes of `/.well-known/artifact-manifest.json?version=…`; null checks the payload alone
 * @param publicKey of `/v1/contract/fields`, base64; null takes the key the manifest names, and says so
 * @throws IssuerError `validation_failed` when the answer has no payload hash to be checked against
 */
export function verifyAnswer({
  answer,
  manifest,
  publicKey,
}: {
  answer: Buffer;
  manifest: Buffer | null;
  publicKey: string | null;
}): Verification {
  const body = parsedAnswer(answer);
  const { payload_sha256: stated, artifact_key: key, artifact_sha256: artifact } = body.response_metadata;
  const members = Object.entries(body).filter(([name]) => !isReservedMember(name) && name !== 'sample');
  const payload = Object.fromEntries(members);
  const found = sha256Of(canonicalJson(payload as CanonicalValue));
  const checks = [
    found === stated
      ? right(`payload: its SHA-256 is the one stated, ${stated}`)
      : wrong(`payload: its SHA-256 is ${found}, the answer states ${stated}`),
    ...(manifest === null
      ? []
      : manifestChecks({ manifest, publicKey, key, artifact, whole: stated === artifact })),
    ...(isReport(payload) ? ofReport(payload, { artifact, manifest }) : []),
  ];
  return { ok: checks.every(({ holds }) => holds), lines: checks.map(({ line }) => line) };
}

/** What a report states of its parts; the manifest is checked before. */
function ofReport(
  payload: Readonly<Record<string, unknown>>,
  { artifact, manifest }: { artifact: string; manifest: Buffer | null },
): Check[] {
  const hashes = manifest === null ? null : hashesOf(manifest);
  const listed = hashes === null ? null : (key: string) => hashes.get(key);
  return reportChecks(payload, { artifact, listed }).map(({ holds, text }) =>
    holds ? right(text) : wrong(text),
  );
}

/** Hashes of a manifest by key; null for a file that is none, which is said before. */
function hashesOf(manifest: Buffer): ReadonlyMap<string, string> | null {
  try {
    const { artifacts } = artifactManifest.parse(JSON.parse(manifest.toString('utf8')));
    return new Map(artifacts.map(({ key, sha256: hash }) => [key, hash]));
  } catch {
    return null;
  }
}

type Check = { readonly holds: boolean; readonly line: string };
const right = (line: string): Check => ({ holds: true, line: `ok     ${line}` });
const wrong = (line: string): Check => ({ holds: false, line: `WRONG  ${line}` });

function manifestChecks({
  manifest: bytes,
  publicKey,
  key,
  artifact,
  whole,
}: {
  manifest: Buffer;
  publicKey: string | null;
  key: string;
  artifact: string;
  whole: boolean;
}): Check[] {
  const pinned = publicKey === null ? null : Buffer.from(publicKey, 'base64');
  const verified = verifyManifest({
    bytes,
    release: releaseOf(bytes),
    trusts: (raw) => ({ published: pinned === null || pinned.equals(raw), keyId: keyIdOf(raw) }),
  });
  if (!verified.ok) {
    const by = verified.keyId === null ? '' : ` (${verified.keyId})`;
    return [wrong(`manifest: ${faults[verified.fault]}${by}`)];
  }
  const { version, signature, artifacts } = verified.manifest;
  const entry = artifacts.find((one) => one.key === key);
  const byWhom = `release ${version} is signed by ${signature.key_id}`;
  return [
    right(`signature: ${byWhom}${publicKey === null ? '; give --key to pin it' : ''}`),
    entry === undefined
      ? wrong(
          `artifact: release ${version} has none with the key ${key}; take the manifest of the same release`,
        )
      : entry.sha256 === artifact
        ? right(
            `artifact: ${key} is in that release${whole ? ', and is the payload' : '; the payload is a view of it'}`,
          )
        : wrong(
            `artifact: ${key} has SHA-256 ${entry.sha256} in that release, the answer states ${artifact}`,
          ),
  ];
}

const faults = {
  not_json: 'it is not JSON',
  wrong_shape: 'it is not an artifact manifest',
  wrong_release: 'version, date and count of its artifacts disagree',
  bad_signature: 'its signature does not hold',
  foreign_key: 'it is signed by another key than the one given',
} as const;

// as deep and wide as an answer can be
const anyAnswer = { depth: 64, members: 100_000, elements: 10_000_000 };

function parsedAnswer(bytes: Buffer): z.infer<typeof answerForm> {
  // of two members of one name a reader may take either
  if ('fault' in boundedJson(bytes, anyAnswer))
    throw new IssuerError({
      code: 'validation_failed',
      message: 'The file is no paid answer: it is no JSON, or repeats a member.',
      hint: 'Save the body of a 200 as it came, for example with curl -o answer.json.',
    });
  const parsed = answerForm.safeParse(exactValue(bytes));
  if (parsed.success) return parsed.data;
  throw new IssuerError({
    code: 'validation_failed',
    message: 'The file is no paid answer: it has no response_metadata with hashes.',
    hint: 'Save the body of a 200 as it came, for example with curl -o answer.json.',
  });
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

// every number keeps its digits, also those a double would lose (I4.32)
function exactValue(bytes: Buffer): unknown {
  const exact: Reviver = (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && /^-?\d+(\.\d+)?$/.test(source)
      ? ExactDecimal.parse(source)
      : value;
  return JSON.parse(bytes.toString('utf8'), exact as (key: string, value: unknown) => unknown);
}

function releaseOf(manifest: Buffer): string {
  try {
    const { version } = JSON.parse(manifest.toString('utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : '';
  } catch {
    return '';
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
