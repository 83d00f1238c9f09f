import { fileByFile, type InputLoader } from './load/inputLoader.ts';
import { folderTables, loadFilingFolders } from './load/loadFilingFolders.ts';
import { filingContentTables, loadFilings } from './load/loadFilings.ts';
import { instanceTables, loadInstanceIndex } from './load/loadInstanceIndex.ts';
import { loadPerps, perpsTables } from './load/loadPerps.ts';
import { loadPrices, priceTables } from './load/loadPrices.ts';
import { loadStocks, stockTables } from './load/loadStocks.ts';
import { loadSubmissions, submissionTables } from './load/loadSubmissions.ts';
import { loadTickers, tickerTables } from './load/loadTickers.ts';

/** One input of a night: where it lies in a source, what it becomes in the warehouse, and who reads it. */
type WarehouseInput = {
  readonly id: string;
  /** Path in a source, `*` for any name; null for what is read through other inputs. */
  readonly layout: string | null;
  /** `index`: a file whose directory holds the files it lists. */
  readonly kind: 'file' | 'files' | 'directory' | 'index' | 'contents';
  /** Tables that hold its rows; they are emptied of an input that goes away. */
  readonly tables: readonly string[];
  /** Script of `data/sql` that makes those tables; a change of it builds the warehouse anew. */
  readonly script: string | null;
  /** Script of `data/sql` with its views for analysts; a change of it renews them. */
  readonly views: string | null;
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

/**
 * Every input of a night, in the order of loading. The scan of a source, the hashes that decide whether a step is
 * skipped, the tables and views of a build and the loaders that run all follow from this list.
 */
export const warehouseInputs = [
  {
    id: 'companyfacts',
    layout: 'edgar/companyfacts.zip',
    kind: 'file',
    tables: factTables,
    script: 'facts.sql',
    views: 'factViews.sql',
    // read before all others, in transactions of its own (`ingestCompanyFacts`)
    load: null,
  },
  {
    id: 'submissions',
    layout: 'edgar/submissions.zip',
    kind: 'file',
    tables: submissionTables,
    script: 'submissions.sql',
    views: null,
    load: loadSubmissions,
  },
  {
    id: 'tickers',
    layout: 'edgar/company_tickers_exchange.json',
    kind: 'file',
    tables: tickerTables,
    script: 'tickers.sql',
    views: null,
    load: fileByFile(loadTickers),
  },
  {
    id: 'filings',
    layout: 'edgar/filings/',
    kind: 'directory',
    tables: folderTables,
    script: 'filingFolders.sql',
    views: null,
    load: fileByFile(loadFilingFolders),
  },
  {
    id: 'instances',
    layout: 'edgar/instances/index.csv',
    kind: 'index',
    tables: instanceTables,
    script: 'instances.sql',
    views: null,
    load: fileByFile(loadInstanceIndex),
  },
  {
    // of the two above: folders of filings and extracted instances
    id: 'xbrl',
    layout: null,
    kind: 'contents',
    tables: filingContentTables,
    script: 'xbrl.sql',
    views: 'xbrlViews.sql',
    load: loadFilings,
  },
  {
    id: 'prices',
    layout: 'prices/*.csv',
    kind: 'files',
    tables: priceTables,
    script: 'prices.sql',
    views: 'priceViews.sql',
    load: loadPrices,
  },
  {
    id: 'perps',
    layout: 'perps/*.csv',
    kind: 'files',
    tables: perpsTables,
    script: 'market.sql',
    views: null,
    load: fileByFile(loadPerps),
  },
  {
    id: 'stocks',
    layout: 'stocks/*.csv',
    kind: 'files',
    tables: stockTables,
    script: 'stocks.sql',
    views: null,
    load: fileByFile(loadStocks),
  },
  {
    id: 'universe',
    layout: 'universe.csv',
    kind: 'file',
    tables: [],
    script: null,
    views: null,
    // read by the plan of the night, before there is a build
    load: null,
  },
] as const satisfies readonly WarehouseInput[];

export type InputId = (typeof warehouseInputs)[number]['id'];

/** Tables whose rows name the input they came from. */
export const inputTables: readonly string[] = warehouseInputs.flatMap(({ load, tables }) =>
  load === null ? [] : [...tables],
);

/** The documented paths of a source. */
export const sourceLayout: readonly string[] = warehouseInputs.flatMap(({ layout }) => layout ?? []);

const archives: readonly InputId[] = ['companyfacts', 'submissions'];

/** The inputs that the rows of a table follow from: those it is loaded from, or computed from. */
export const tableInputs: Readonly<Record<string, readonly InputId[]>> = {
  ...Object.fromEntries(
    warehouseInputs.flatMap(({ id, tables }) =>
      // the contents of filings come with the filings
      tables.map((table) => [table, [id === 'xbrl' ? 'filings' : id] as const]),
    ),
  ),
  periodic_filing: archives,
  stress_row: [...archives, 'prices'],
  alpha_row: [...archives, 'prices'],
  cross_section_row: [...archives, 'prices'],
  coin_row: [...archives, 'prices'],
  facility_row: [...archives, 'filings', 'prices'],
  fundamental_row: archives,
  filing_event: ['submissions'],
  preferred_stock: ['companyfacts'],
  archive_scan: ['companyfacts'],
  scan_change: ['companyfacts'],
  daily_change_row: archives,
  market_factor: ['perps', 'prices', 'stocks'],
  market_bucket: ['perps'],
  market_close: ['prices', 'stocks'],
};
