import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import type { FileEffects } from '../../effects.ts';
import { sha256Hex } from '../../release/artifact.ts';
import { storeText } from '../store/storeText.ts';

/** Longer answers are lists that seldom change: each text is kept once, under its hash. */
const inlineLength = 16_384;

/** Keeps an answer of a venue as it came, a line with time, address and SHA-256 in the file of its day. */
export async function keepAnswer(
  directory: string,
  {
    venue,
    url,
    text,
    at,
  }: { readonly venue: string; readonly url: string; readonly text: string; readonly at: Date },
  files: FileEffects,
): Promise<void> {
  const folder = join(directory, 'answers');
  const sha256 = sha256Hex(text);
  const isLong = text.length > inlineLength;
  const path = join(folder, `${sha256}.json`);
  if (isLong && !existsSync(path)) await storeText(path, text);
  await files.makeDirectory(folder);
  const line = canonicalJson({ at: at.toISOString(), url, sha256, ...(isLong ? {} : { text }) });
  const day = join(folder, `${venue}_${at.toISOString().slice(0, 10)}.ndjson`);
  await files.append(day, [Buffer.from(`${line}\n`)]);
}
