import { IssuerError } from '../../contract/issuerError.ts';
import { rowStoreIndex } from '../../contract/releaseFiles.ts';
import {
  alphaSignalsSlice,
  covenantSlice,
  fundamentals,
  peerRankingSlice,
} from '../../contract/rowStores.ts';
import type { PublishedTexts } from './historyLines.ts';

/** Reads an artifact of one slice by its key; null when the slice has none of that key. */
export type ReadArtifact = (key: string) => Promise<Uint8Array | null>;

/**
 * The payloads one slice published of each issuer, by CIK. A backfilled slice has them in row stores, a full one under
 * a key of their own (I4.36).
 *
 * @throws IssuerError `validation_failed` when a row store is damaged.
 */
export async function sliceTexts(o: {
  sourceDate: string;
  read: ReadArtifact;
}): Promise<Map<string, PublishedTexts>> {
  const { sourceDate } = o;
  const covenants = await storeTexts({ ...o, name: covenantSlice.key(sourceDate) });
  if (covenants === null) throw damaged(sourceDate, 'it holds no covenant rows');
  const stored = {
    fundamentals: await storeTexts({ ...o, name: fundamentals.key(sourceDate) }),
    alpha: await storeTexts({ ...o, name: alphaSignalsSlice.key(sourceDate) }),
    ranking: await storeTexts({ ...o, name: peerRankingSlice.key(sourceDate) }),
  };
  const single = async (name: string, cik: string) => {
    const bytes = await o.read(`${name}/${sourceDate}/CIK${cik}.json`);
    return bytes === null ? null : Buffer.from(bytes).toString('utf8');
  };
  const texts = new Map<string, PublishedTexts>();
  for (const [cik, covenant] of covenants) {
    texts.set(cik, {
      covenant,
      fundamentals: stored.fundamentals?.get(cik) ?? (await single('fundamentals', cik)),
      alpha: stored.alpha?.get(cik) ?? (await single('alpha-signals', cik)),
      ranking: stored.ranking?.get(cik) ?? (await single('peer-ranking', cik)),
    });
  }
  return texts;
}

async function storeTexts(o: {
  sourceDate: string;
  name: string;
  read: ReadArtifact;
}): Promise<Map<string, string> | null> {
  const store = await o.read(`${o.name}.ndjson`);
  const indexBytes = await o.read(`${o.name}.index.json`);
  if (store === null || indexBytes === null) return null;
  const parsed = rowStoreIndex.safeParse(JSON.parse(Buffer.from(indexBytes).toString('utf8')));
  if (!parsed.success) throw damaged(o.sourceDate, `${o.name} has no index`);
  const { rows, offsets, columns } = parsed.data;
  const bytes = Buffer.from(store.buffer, store.byteOffset, store.byteLength);
  const ciks = columns['cik'] ?? [];
  const texts = new Map<string, string>();
  for (let row = 0; row < rows; row += 1) {
    texts.set(String(ciks[row]), bytes.toString('utf8', offsets[row], (offsets[row + 1] ?? 1) - 1));
  }
  return texts;
}

function damaged(sourceDate: string, what: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The slice of ${sourceDate} cannot be read: ${what}.`,
    hint: 'Check the releases with `issuer release verify`, then publish that date again with --force.',
  });
}
