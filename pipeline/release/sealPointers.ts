import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  lowerSequence,
  type Promotion,
  promotion,
  promotionNames,
  promotionSeen,
} from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { FileEffects } from '../effects.ts';
import { sha256Hex } from './artifact.ts';
import { parsedFile, readCurrent, readSliceIndex } from './releaseStore.ts';
import { openSigningKey, signatureHolds, signDocument, trustedKeys } from './signingKey.ts';

type Place = Pick<DataLayout, 'root' | 'signingKey' | 'artifacts'>;

/**
 * Signs the pointers under the next sequence where they are others than those signed last (STORE ST21). Pointers that cannot
 * be read are left to the night that mends them.
 */
export async function sealPointers(layout: Place, files: FileEffects): Promise<void> {
  const pointers = await readPointers(layout);
  if (pointers === null) return;
  const signed = await readSigned(layout).catch(() => null);
  const seen = await readSeen(layout);
  const isSigned =
    signed !== null && signatureHolds(signed) && says(signed, pointers) && signed.sequence >= seen;
  if (!isSigned) {
    const key = await openSigningKey({ path: layout.signingKey, files });
    const sequence = Math.max(seen, signed?.sequence ?? 0) + 1;
    const document = signDocument({ schema_id: 'promotion.v1' as const, sequence, ...pointers }, key);
    await replaceFile({ files, path: signedPath(layout), bytes: canonicalJson(document) });
  }
  await noteSeen(layout, files);
}

/** Notes the sequence of the store as seen, where it is higher. */
async function noteSeen(layout: Place, files: FileEffects): Promise<void> {
  const signed = await readSigned(layout).catch(() => null);
  if (signed === null || signed.sequence <= (await readSeen(layout))) return;
  await replaceFile({
    files,
    path: join(layout.root, promotionNames.seen),
    bytes: canonicalJson({ sequence: signed.sequence }),
  });
}

/** Said of pointers that moved after they were signed. */
export const unsignedPointers = `the pointers are not those that ${promotionNames.stored} was signed for`;

/** What speaks against the signed sequence of a store, as sentences; empty where nothing does, or nothing was signed yet. */
export async function sequenceProblems(layout: Place): Promise<string[]> {
  const pointers = await readPointers(layout);
  if (pointers === null) return [];
  const seen = await readSeen(layout);
  const name = promotionNames.stored;
  let signed: Promotion | null;
  try {
    signed = await readSigned(layout);
  } catch {
    return [`${name} is damaged, and sequence ${seen} was seen`];
  }
  const lower = lowerSequence(signed?.sequence ?? null, seen);
  if (lower !== null) return [`${name} ${lower}`];
  if (signed === null) return [];
  const keys = trustedKeys(layout.signingKey);
  if (!signatureHolds(signed)) return [`the signature of ${name} does not hold`];
  if (keys !== null && !keys.includes(signed.signature.public_key))
    return [`${name} is signed by ${signed.signature.key_id}, which is no published key of this deployment`];
  return says(signed, pointers) ? [] : [unsignedPointers];
}

type Pointers = Pick<Promotion, 'current' | 'slices_sha256'>;

/** null where nothing was published, or a pointer is damaged. */
async function readPointers({ artifacts }: Place): Promise<Pointers | null> {
  if (!existsSync(artifacts.slices)) return null;
  try {
    const index = await readSliceIndex(artifacts);
    return { current: await readCurrent(artifacts), slices_sha256: sha256Hex(canonicalJson(index)) };
  } catch {
    return null;
  }
}

const says = (signed: Promotion, { current, slices_sha256 }: Pointers): boolean =>
  signed.current === current && signed.slices_sha256 === slices_sha256;

const signedPath = ({ artifacts }: Place): string => join(artifacts.root, promotionNames.stored);

async function readSigned(layout: Place): Promise<Promotion | null> {
  return existsSync(signedPath(layout)) ? parsedFile(promotion, signedPath(layout)) : null;
}

async function readSeen({ root }: Place): Promise<number> {
  const seen = await parsedFile(promotionSeen, join(root, promotionNames.seen)).catch(() => null);
  // none, or none that can be read: it starts again
  return seen?.sequence ?? 0;
}
