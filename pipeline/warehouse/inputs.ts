import { type InputId, sourceInputs } from '../source/directorySource.ts';
import { fileByFile, type InputLoader } from './load/inputLoader.ts';
import { loadCurrentReports, reportTables } from './load/loadCurrentReports.ts';
import { folderTables, loadFilingFolders } from './load/loadFilingFolders.ts';
import { filingContentTables, loadFilings } from './load/loadFilings.ts';
import { instanceTables, loadInstanceIndex } from './load/loadInstanceIndex.ts';
import { loadPerps, perpsTables } from './load/loadPerps.ts';
import { loadPrices, priceTables } from './load/loadPrices.ts';
import { loadStocks, stockTables } from './load/loadStocks.ts';
import { loadSubmissions, submissionTables } from './load/loadSubmissions.ts';
import { loadTickers, tickerTables } from './load/loadTickers.ts';

/** What an input of a night becomes in the warehouse, and what reads it. */
type WarehouseInput = {
  /** Tables that hold its rows; they are emptied of an input that goes away. */
  readonly tables: readonly string[];
  /** Script of `data/sql` that makes those tables; a change of it builds the warehouse again. */
  readonly script: string | null;
  /** Script of `data/sql` with its views for analysts; a change of it renews them. */
  readonly views?: string;
  /** Null for what is read elsewhere. */
  readonly load: InputLoader | null;
};

/** Rows of the archive; the dictionaries their codes point to stay. */
export const factTables = [
  'fact',
  'fact_entity',
  'fact_exact',
  'archive_entry',
  'quarantine',
  'fact_change',
] as const;

const byInput: Readonly<Record<InputId, WarehouseInput>> = {
  companyfacts: {
    tables: factTables,
    script: 'facts.sql',
    views: 'factViews.sql',
    // read before all others, in transactions of its own (`ingestCompanyFacts`)
    load: null,
  },
  submissions: {
    tables: submissionTables,
    script: 'submissions.sql',
    load: loadSubmissions,
  },
  tickers: {
    tables: tickerTables,
    script: 'tickers.sql',
    load: fileByFile(loadTickers),
  },
  filings: {
    tables: folderTables,
    script: 'filingFolders.sql',
    load: fileByFile(loadFilingFolders),
  },
  instances: {
    tables: instanceTables,
    script: 'instances.sql',
    load: fileByFile(loadInstanceIndex),
  },
  xbrl: {
    tables: filingContentTables,
    script: 'xbrl.sql',
    views: 'xbrlViews.sql',
    load: loadFilings,
  },
  current_reports: {
    tables: reportTables,
    script: 'reports.sql',
    load: loadCurrentReports,
  },
  prices: {
    tables: priceTables,
    script: 'prices.sql',
    views: 'priceViews.sql',
    load: loadPrices,
  },
  perps: {
    tables: perpsTables,
    script: 'market.sql',
    load: (request) =>
      fileByFile((connection, path, known) =>
        loadPerps(connection, path, { known, bounds: request.closeBounds }),
      )(request),
  },
  stocks: {
    tables: stockTables,
    script: 'stocks.sql',
    load: fileByFile(loadStocks),
  },
  universe: {
    tables: [],
    script: null,
    // read by the plan of the night, before there is a build
    load: null,
  },
};

/**
 * Every input of a night with its tables, in the order of loading: the tables and views of a build and the loaders that
 * run follow from this list.
 */
export const warehouseInputs = sourceInputs.map(({ id, layout }) => ({ id, layout, ...byInput[id] }));

/** Tables whose rows name the input they came from. */
export const inputTables: readonly string[] = warehouseInputs.flatMap(({ load, tables }) =>
  load === null ? [] : [...tables],
);

const archives: readonly InputId[] = ['companyfacts', 'submissions'];

function sameInputs(tables: readonly string[], inputs: readonly InputId[]) {
  return Object.fromEntries(tables.map((table) => [table, inputs]));
}

/** The inputs that the rows of a table follow from: those it is loaded from, or computed from. */
export const tableInputs: Readonly<Record<string, readonly InputId[]>> = {
  ...Object.fromEntries(
    warehouseInputs.flatMap(({ id, tables }) =>
      // the contents of filings come with the filings
      tables.map((table) => [table, [id === 'xbrl' ? 'filings' : id] as const]),
    ),
  ),
  periodic_filing: archives,
  ...sameInputs(['stress_row', 'alpha_row', 'cross_section_row', 'coin_row'], [...archives, 'prices']),
  ...sameInputs(
    [
      ...['record_row', 'facility_row', 'capital_row', 'instrument_row', 'maturity_row', 'preferred_row'],
      ...['share_row', 'claim_row', 'runway_row', 'coin_flow_row'],
    ],
    [...archives, 'filings', 'prices'],
  ),
  nav_row: [...archives, 'filings', 'prices', 'stocks'],
  fundamental_row: archives,
  filing_event: ['submissions'],
  holdings_link: ['current_reports'],
  stated_units: ['current_reports'],
  amount_mismatch: ['current_reports', 'prices'],
  preferred_stock: ['companyfacts'],
  archive_scan: ['companyfacts'],
  scan_change: ['companyfacts'],
  daily_change_row: archives,
  market_factor: ['perps', 'prices', 'stocks'],
  market_bucket: ['perps'],
  market_close: ['prices', 'stocks'],
};

/** Columns of a table whose values do not follow from one of its inputs: a question of them alone does not read it. */
export const columnsWithout: Readonly<Record<string, Partial<Record<InputId, readonly string[]>>>> = {
  stress_row: {
    prices: [
      ...[
        'source_date',
        'method_version',
        'cik',
        'ticker',
        'entity_name',
        'accession_number',
        'filing_form',
        'period',
        'filed',
        'next_report_due',
      ],
      ...['core_model', 'total_long_term_debt', 'current_debt', 'noncurrent_debt', 'total_crypto_fair_value'],
      ...[
        'figures_basis',
        'crypto_share_of_assets',
        'treasury_relevance',
        'net_debt_to_coins',
        'stress_30pct',
      ],
      ...['stress_50pct', 'stress_70pct', 'covenant_headroom_50pct', 'reference_covenant_ltv', 'risk_tier'],
      ...['shocked_equity_50pct', 'data_source', 'root_resolution_method', 'is_linkbase_backed'],
      ...['debt_coverage_status', 'resolution_status', 'selection_strategy'],
      // view stress always reads it, to tell cost from fair value, which no close decides
      'crypto_units_basis',
    ],
  },
};
