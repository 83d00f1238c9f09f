import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { alphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import { companyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { peerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { rowStoreIndex } from '../../data/contract/release/releaseFiles.ts';
import type { PublishedTexts } from './historyLines.ts';

/** Reads an artifact of one slice by its key; null when the slice has none of that key. */
export type ReadArtifact = (key: string) => Promise<Uint8Array | null>;

/**
 * The payloads one slice published of each issuer, by CIK. A backfilled slice has them in row stores, a full one under
 * a key of their own (I4.36).
 *
 * @throws IssuerError `validation_failed` when a row store is damaged.
 */
export async function sliceTexts(input: {
  sourceDate: string;
  read: ReadArtifact;
}): Promise<Map<string, PublishedTexts>> {
  const { sourceDate } = input;
  const covenants = await storeTexts({ ...input, store: covenantStress.stored.rows });
  if (covenants === null) throw damaged(sourceDate, 'it holds no covenant rows');
  const stored = {
    fundamentals: await storeTexts({ ...input, store: companyFundamentals.stored.rows }),
    alpha: await storeTexts({ ...input, store: alphaSignals.stored.rows }),
    ranking: await storeTexts({ ...input, store: peerRanking.stored.rows }),
  };
  const single = async ({ object }: { object: IssuerObject }, cik: string) => {
    const bytes = await input.read(object.key({ slice: sourceDate, cik }));
    return bytes === null ? null : Buffer.from(bytes).toString('utf8');
  };
  const texts = new Map<string, PublishedTexts>();
  for (const [cik, covenant] of covenants) {
    texts.set(cik, {
      covenant,
      fundamentals: stored.fundamentals?.get(cik) ?? (await single(companyFundamentals.stored, cik)),
      alpha: stored.alpha?.get(cik) ?? (await single(alphaSignals.stored, cik)),
      ranking: stored.ranking?.get(cik) ?? (await single(peerRanking.stored, cik)),
    });
  }
  return texts;
}

type SliceRows = Pick<typeof covenantStress.stored.rows, 'key' | 'indexKey'>;
type IssuerObject = Pick<typeof covenantStress.stored.object, 'key'>;

async function storeTexts(input: {
  sourceDate: string;
  store: SliceRows;
  read: ReadArtifact;
}): Promise<Map<string, string> | null> {
  const parts = { slice: input.sourceDate };
  const store = await input.read(input.store.key(parts));
  const indexBytes = await input.read(input.store.indexKey(parts));
  if (store === null || indexBytes === null) return null;
  const parsed = rowStoreIndex.safeParse(JSON.parse(Buffer.from(indexBytes).toString('utf8')));
  if (!parsed.success) throw damaged(input.sourceDate, `${input.store.key(parts)} has no index`);
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
