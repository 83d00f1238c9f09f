import { join } from 'node:path';
import { IssuerError } from '../../contract/issuerError.ts';
import { addDays } from '../fetch/civilDays.ts';
import { coinGecko } from '../fetch/coinGecko.ts';
import { requireContact } from '../fetch/contactAddress.ts';
import { fetchEdgar } from '../fetch/fetchEdgar.ts';
import { fetchPrices, type PriceSource } from '../fetch/priceSource.ts';
import { loadUniverse } from '../universe/universe.ts';
import { programRoot } from './codeVersion.ts';
import type { DataLayout } from './dataLayout.ts';
import type { FetchRequest, NightSource } from './nightSource.ts';

/** The basket of M3.20; the treasury assets of the universe come on top. */
const basket = ['BTC', 'ETH', 'SOL', 'LTC', 'LINK', 'DOGE', 'ADA', 'AVAX'];
/** Public price sources give the last year. */
const historyDays = 363;

/**
 * SEC EDGAR over the network, and daily closes of the coins the universe holds.
 *
 * A price source that refuses costs the night its new closes, never its facts: it is warned of, and closes that
 * were fetched before are used.
 *
 * @throws IssuerError `configuration` without a contact address: it refuses to start.
 */
export function edgarNights(o: {
  contact: string | undefined;
  priceKey: string | null;
  edgarUrl?: string;
  priceSource?: (request: FetchRequest) => PriceSource;
}): NightSource {
  requireContact(o.contact);
  const directory = (layout: DataLayout) => join(layout.raw, 'edgar-source');
  return {
    kind: 'edgar',
    label: 'edgar',
    nights: () => Promise.resolve(null),
    directory: ({ layout }) => directory(layout),
    fetch: async (request) => {
      const { layout, effects, signal } = request;
      const target = directory(layout);
      const report = await fetchEdgar({
        rawRoot: layout.raw,
        target,
        contact: o.contact,
        effects,
        signal,
        ...(o.edgarUrl === undefined ? {} : { baseUrl: o.edgarUrl }),
      });
      const source =
        o.priceSource?.(request) ?? coinGecko({ rawRoot: layout.raw, apiKey: o.priceKey, effects });
      const closes = await fetchCloses(request, { source, target });
      const fresh = report.files.filter((file) => file.bytes > 0).length;
      const skipped = fresh === 0 && closes === 0;
      const files =
        fresh === 0 ? 'archives unchanged at SEC' : `${fresh} of ${report.files.length} archives new`;
      const size = `${report.bytes.toLocaleString('en')} bytes in ${report.requests} requests`;
      return { directory: target, skipped, message: `${files} (${size}), ${closes} new closes` };
    },
  };
}

/** Number of closes added. */
async function fetchCloses(
  { night, effects, signal }: FetchRequest,
  o: { source: PriceSource; target: string },
): Promise<number> {
  const issuers = await loadUniverse(join(programRoot, 'data/registry/universe.csv'));
  const held = issuers
    .map((issuer) => issuer.primaryAsset)
    .filter((asset) => asset !== null && /^[A-Z0-9]{1,12}$/.test(asset));
  const assets = [...new Set([...basket, ...held.filter((asset) => asset !== null)])];
  try {
    const report = await fetchPrices({
      source: o.source,
      assets,
      from: addDays(night.sourceDate, -historyDays),
      to: night.sourceDate,
      target: o.target,
      effects,
      signal,
    });
    return report.assets.reduce((sum, asset) => sum + asset.added, 0);
  } catch (error) {
    if (!(error instanceof IssuerError) || error.code !== 'source_refused') throw error;
    effects.log({ level: 'warn', step: 'fetch', message: `no new closes: ${error.message}` });
    return 0;
  } finally {
    await o.source.close();
  }
}
