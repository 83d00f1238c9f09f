import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import {
  type FieldMapSubject,
  fieldMapRows,
  issuerFieldMap,
} from '../../calculators/fieldMap/issuerFieldMap.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { PriceBook } from '../../calculators/prices/priceBook.ts';
import { calculationHistory } from '../../contract/payloads/calculationHistory.ts';
import type { CovenantStress } from '../../contract/payloads/covenantStress.ts';
import { issuerFieldMap as payload } from '../../contract/payloads/issuerFieldMap.ts';
import type { Artifact } from '../release/artifact.ts';
import type { ReleasePaths } from '../release/releasePaths.ts';
import type { FieldMapCache } from './fieldMapCache.ts';
import { fieldMapHistory, publishedCovenantRows } from './fieldMapHistory.ts';
import { singleArtifact } from './singleArtifact.ts';
import type { SliceHistory } from './sliceHistory.ts';

/**
 * The field map of every issuer of a slice (I4.R17.2): the rows of the promoted slices before it and its own, with the
 * choreography known on its date.
 *
 * @throws IssuerError `validation_failed` when an earlier slice is damaged or a map does not hold its schema.
 */
export async function fieldMapArtifacts(input: {
  paths: ReleasePaths;
  /** Rows that earlier nights read; null reads every slice. */
  fieldMapCache: FieldMapCache | null;
  /** Promoted slices before this one, dates ascending. */
  history: SliceHistory;
  sourceDate: string;
  asOf: string;
  covenantRows: readonly CovenantStress[];
  choreographies: ReadonlyMap<string, FilingChoreography>;
  prices: PriceBook;
  parameters: Parameters;
}): Promise<Artifact[]> {
  const { prices, parameters } = input;
  const history = fieldMapHistory({ prices, assets: parameters.regime.basket });
  const ciks = input.covenantRows.map(({ cik }) => cik);
  // the row of the slice itself is the newest
  const wanted = newestRows(input.history, { ciks, most: fieldMapRows(parameters) - 1 });
  const cache = input.fieldMapCache;
  for (const slice of wanted) {
    const read = () => publishedCovenantRows(input.paths, slice);
    const rows = await (cache?.rows(slice, read) ?? read());
    for (const row of rows) if (slice.ciks.has(row.cik)) history.add(row);
  }
  await cache?.close();
  for (const row of input.covenantRows) history.add(row);
  return input.covenantRows.map((stress) =>
    singleArtifact(payload.stored.object, {
      parts: { slice: input.sourceDate, cik: stress.cik },
      value: issuerFieldMap(history.rowsOf(stress.cik), {
        ...subjectOf(stress, input.sourceDate),
        prices,
        parameters,
        generatedAt: input.asOf,
        choreography: input.choreographies.get(stress.cik) ?? { events: [], chains: [] },
      }),
    }),
  );
}

type WantedRows = {
  readonly sourceDate: string;
  readonly release: string;
  readonly ciks: ReadonlySet<string>;
};

/** Which rows of which slices are among the newest of an issuer, dates ascending; no other slice is read. */
function newestRows(
  history: SliceHistory,
  { ciks, most }: { ciks: readonly string[]; most: number },
): WantedRows[] {
  const left = new Map(ciks.map((cik) => [cik, most]));
  const wanted: WantedRows[] = [];
  for (const slice of history.toReversed()) {
    const open = slice.ciks.filter((cik) => (left.get(cik) ?? 0) > 0);
    for (const cik of open) left.set(cik, (left.get(cik) ?? 0) - 1);
    if (open.length > 0) wanted.push({ ...slice, ciks: new Set(open) });
  }
  return wanted.reverse();
}

function subjectOf(stress: CovenantStress, slice: string): FieldMapSubject {
  return {
    ticker: stress.ticker,
    companyName: stress.entity_name ?? null,
    filingForm: stress.filing_form ?? null,
    priceSource: stress.price_source ?? null,
    rawPaths: [calculationHistory.stored.history.listKey({ slice })],
  };
}
