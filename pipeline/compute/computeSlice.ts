import type { DuckDBConnection } from '@duckdb/node-api';
import { composeSlice, type IssuerResult, type Slice } from '../../calculators/composeSlice.ts';
import type { Parameters } from '../../calculators/parameters.ts';
import { type IssuerPosition, positionIssuer } from '../../calculators/position/positionIssuer.ts';
import { priceBook } from '../../calculators/priceBook.ts';
import type { Issuer } from '../../calculators/rows.ts';
import type { SliceContext } from '../../calculators/sliceContext.ts';
import type { Log } from '../effects.ts';
import type { Artifact } from '../release/artifact.ts';
import { dropReassignedAliases } from '../universe/dropReassignedAliases.ts';
import { selectIssuerInputs } from '../warehouse/selectIssuerInputs.ts';
import { selectListedTickers } from '../warehouse/selectListedTickers.ts';
import { selectPrices } from '../warehouse/selectPrices.ts';
import { releaseGate } from './releaseGate.ts';
import { sliceArtifacts } from './sliceArtifacts.ts';
import { type SliceHistory, sliceStatus } from './sliceHistory.ts';

export type ComputedSlice = {
  readonly slice: Slice;
  readonly results: readonly IssuerResult[];
  readonly artifacts: readonly Artifact[];
  readonly sliceStatus: 'complete' | 'partial';
  readonly prices: number;
};

/**
 * Computes one slice from an open build and passes it through the release gate; it opens and writes nothing.
 *
 * @param o.asOf the plan's instant, published as `computed_at_utc` (M0.13)
 * @throws IssuerError `validation_failed` when a payload or an invariant does not hold.
 */
export async function computeSlice(o: {
  connection: DuckDBConnection;
  sourceDate: string;
  asOf: string;
  issuers: readonly Issuer[];
  parameters: Parameters;
  history: SliceHistory;
  backfilled: boolean;
  log: Log;
  stopIfAsked: () => void;
}): Promise<ComputedSlice> {
  const inputs = await selectIssuerInputs(o.connection, { sourceDate: o.sourceDate, issuers: o.issuers });
  const rows = await selectPrices(o.connection, { upTo: o.sourceDate });
  const context: SliceContext = {
    sourceDate: o.sourceDate,
    asOf: o.asOf,
    prices: priceBook(rows, o.parameters),
    parameters: o.parameters,
    backfilled: o.backfilled,
  };
  const positions: IssuerPosition[] = [];
  for (const issuer of inputs) {
    o.stopIfAsked();
    positions.push(positionIssuer(issuer, context));
    o.log({
      level: 'info',
      step: 'compute',
      message: issuer.issuer.ticker ?? issuer.issuer.cik,
      fields: { done: positions.length, total: inputs.length, unit: 'issuers' },
    });
  }
  const slice = composeSlice(positions, { context, history: [...o.history] });
  const results = slice.issuers;
  const listed = await selectListedTickers(o.connection);
  const issuers = dropReassignedAliases({ issuers: o.issuers, listed });
  const artifacts = sliceArtifacts({ ...o, issuers, slice, results });
  releaseGate({ slice, results });
  const ciks = new Set(results.map((result) => result.issuer.cik));
  return {
    slice,
    results,
    artifacts,
    sliceStatus: sliceStatus({ history: o.history, ciks }),
    prices: rows.length,
  };
}
