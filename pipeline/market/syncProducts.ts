import type { DuckDBConnection } from '@duckdb/node-api';
import type { Product } from '../../calculators/market/baskets/product.ts';
import { insertRows } from '../warehouse/build/insertRows.ts';
import { venues } from '../warehouse/load/venues.ts';

const constituentColumns = {
  product: 'VARCHAR',
  index_symbol: 'VARCHAR',
  effective_date: 'DATE',
  position: 'INTEGER',
  ticker: 'VARCHAR',
  cik: 'VARCHAR',
  name: 'VARCHAR',
  kind: 'VARCHAR',
  weight: 'DOUBLE',
  weights_public: 'BOOLEAN',
  stand_in: 'BOOLEAN',
  method: 'VARCHAR',
  source: 'VARCHAR',
};

/** Writes the registry of products behind the views: constituents of every version, contracts, venues (M8.6). */
export async function syncProducts(
  connection: DuckDBConnection,
  products: readonly Product[],
): Promise<void> {
  for (const table of ['product_constituent', 'market_contract', 'market_venue']) {
    await connection.run(`DELETE FROM ${table}`);
  }
  const rows = products.flatMap(({ product, indexSymbol, versions }) =>
    versions.flatMap((one) =>
      one.constituents.map((c, position) => [
        ...[product, indexSymbol, one.effectiveDate, position, c.ticker, c.cik, c.name, c.kind, c.weight],
        ...[one.weightsPublic, one.standIn, one.method, one.source],
      ]),
    ),
  );
  await insertRows(connection, { table: 'product_constituent', columns: constituentColumns, rows });
  const contracts = new Map(
    products.flatMap((one) => one.contracts.map((c) => [`${c.venue} ${c.symbol}`, [c.venue, c.symbol]])),
  );
  await insertRows(connection, {
    table: 'market_contract',
    columns: { venue: 'VARCHAR', symbol: 'VARCHAR' },
    rows: [...contracts.values()],
  });
  await insertRows(connection, {
    table: 'market_venue',
    columns: { venue: 'VARCHAR', funding_hours: 'DOUBLE' },
    rows: Object.entries(venues).map(([venue, { fundingHours }]) => [venue, fundingHours]),
  });
}
