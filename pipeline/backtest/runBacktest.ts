import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type AltmanInputs, altmanZ } from '../../calculators/backtest/discrimination.ts';
import { type OwnEventScore, ownEventScores } from '../../calculators/backtest/ownEvent.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { assessStress } from '../../calculators/stress/assessStress.ts';
import { cryptoUnitsBases } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { readParameters } from '../modelCard/readRegistry.ts';
import { programRoot } from '../programRoot.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { csvRecords } from '../warehouse/load/csvRecords.ts';
import { refusedFile } from '../warehouse/load/inputFile.ts';
import { type BacktestReport, backtestReport } from './backtestReport.ts';
import type { Observation } from './observation.ts';
import { readEvents } from './readEvents.ts';

/** Ratios and coins of M12.16. */
const ratios = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5];
const coins = ['BTC', 'ETH', 'SOL'];
const horizonDays = 365;

/**
 * `issuer backtest`: point-in-time rows of the warehouse, and the reference cases of METHODOLOGY 12.1 where the
 * warehouse has no row of that issuer and period, against the registry's table of events. Nothing is written.
 */
export async function runBacktest({ databasePath }: { databasePath: string }): Promise<BacktestReport> {
  const registry = join(programRoot, 'data/registry');
  const text = (name: string) => readFile(join(registry, name), 'utf8');
  const parameters = await readParameters();
  const texts = await Promise.all(registryTables.map(async (name) => [name, await text(name)]));
  const warehouse = existsSync(databasePath) ? await fromWarehouse(databasePath, parameters) : null;
  return registryBacktest(Object.fromEntries(texts) as RegistryTexts, { warehouse, parameters });
}

async function fromWarehouse(path: string, parameters: Parameters): Promise<WarehousePart> {
  const database = await openWarehouse(path);
  try {
    const observations = await selectObservations(database.connection);
    const rows = await readRows<CloseRow>(
      database.connection,
      `SELECT asset, strftime(date, '%Y-%m-%d') AS date, close::DOUBLE AS close FROM prices ORDER BY date`,
    );
    return { observations, ownEvent: scored(rows, parameters) };
  } finally {
    database.close();
  }
}

type CloseRow = { readonly asset: string; readonly date: string; readonly close: number };

function scored(rows: readonly CloseRow[], parameters: Parameters): readonly OwnEventScore[] | null {
  const scores = coins.flatMap((coin) => {
    const closes = rows.filter(({ asset }) => asset === coin);
    return ownEventScores({ coin, closes, ratios, horizonDays, parameters }).filter(({ days }) => days > 0);
  });
  return scores.length === 0 ? null : scores;
}

/** Texts of the registry's tables, by file name. */
export const registryTables = ['events.csv', 'reference-cases.csv', 'own-event.csv'] as const;
export type RegistryTexts = Readonly<Record<(typeof registryTables)[number], string>>;

/** What a warehouse adds: its rows, and the scores of the probability on its closes; null when it has too few. */
type WarehousePart = {
  readonly observations: readonly Observation[];
  readonly ownEvent: readonly OwnEventScore[] | null;
};

/** The backtest of the registry's tables, with the rows of a warehouse in their place where it has them. */
export function registryBacktest(
  texts: RegistryTexts,
  { warehouse, parameters }: { warehouse: WarehousePart | null; parameters: Parameters },
): BacktestReport {
  const reference = readReferenceCases({
    path: 'reference-cases.csv',
    text: texts['reference-cases.csv'],
    parameters,
  });
  return backtestReport({
    observations: withReference(warehouse?.observations ?? [], reference),
    table: readEvents('events.csv', texts['events.csv']),
    ownEvent: warehouse?.ownEvent ?? readOwnEvent('own-event.csv', texts['own-event.csv']),
    parameters,
  });
}

/**
 * The warehouse's observations, and the reference cases it has no row for. A facility is never a row of it, and a row on
 * cost less impairment does not displace a case with units × price (M12.12): both stand, the row counted apart.
 */
export function withReference(
  kept: readonly Observation[],
  reference: readonly Observation[],
): readonly Observation[] {
  const held = new Set(
    kept
      .filter(({ coinsBasis }) => coinsBasis !== 'carrying_value_lower_bound')
      .map(({ cik, period }) => `${cik} ${period}`),
  );
  const added = reference.filter((c) => c.scope === 'facility' || !held.has(`${c.cik} ${c.period}`));
  return [...kept, ...added];
}

const columns = ['coin', 'loan_to_value', 'days', 'years', 'predicted', 'observed', 'brier'] as const;

/**
 * Reads `data/registry/own-event.csv`: scores of the breach probability from closes that are not part of the project.
 *
 * @throws IssuerError `validation_failed` naming the line that is not well formed.
 */
export function readOwnEvent(path: string, text: string): readonly OwnEventScore[] {
  return csvRecords({ path, text, columns }).map(({ line, cells }) => {
    const cell = (name: (typeof columns)[number]) => cells?.[name] ?? '';
    const number = (name: (typeof columns)[number]) => Number(cell(name));
    const shares = ['loan_to_value', 'predicted', 'observed', 'brier'] as const;
    const counted = /^\d+$/.test(cell('days')) && /^\d+$/.test(cell('years'));
    if (
      !/^[A-Z]+$/.test(cell('coin')) ||
      !counted ||
      !shares.every((name) => /^[01]\.\d+$/.test(cell(name)))
    ) {
      throw refusedFile(path, `line ${line} needs a coin, whole days and years, and shares between 0 and 1`);
    }
    return {
      coin: cell('coin'),
      loanToValue: number('loan_to_value'),
      days: number('days'),
      years: number('years'),
      predicted: number('predicted'),
      observed: number('observed'),
      brier: number('brier'),
    };
  });
}

/**
 * Selects the first row each filing in force gave an issuer, in the newest method version of its source date: one
 * observation a filing, known on that source date (M10.2). Balance-sheet items of the same filing stand beside it.
 */
export async function selectObservations(connection: DuckDBConnection): Promise<Observation[]> {
  const rows = await readRows<ObservedRow>(connection, observations);
  return rows.map(({ debt, crypto, sheet, ...row }) => ({
    ...row,
    origin: 'warehouse',
    scope: 'entity',
    selectedOnOutcome: false,
    loanToValue: ratioOf(debt, crypto),
    debtToAssets: ratioOf(debt, sheet.totalAssets),
    altmanZ: zOf(sheet),
  }));
}

type ObservedRow = Omit<
  Observation,
  'origin' | 'scope' | 'selectedOnOutcome' | 'loanToValue' | 'debtToAssets' | 'altmanZ'
> & { readonly debt: number | null; readonly crypto: number | null; readonly sheet: Sheet };

const item = (concept: string) => `max(f.value) FILTER (WHERE f.concept = '${concept}' AND f.start IS NULL)`;

const observations = `WITH newest AS (
    SELECT * FROM stress
    -- version numbers compare as numbers: 1.10 is newer than 1.9
    QUALIFY row_number() OVER (PARTITION BY source_date, cik ORDER BY
      regexp_extract_all(method_version, '\\d+')::HUGEINT[] DESC, method_version DESC) = 1
  ), first_of_filing AS (
    SELECT * FROM newest
    QUALIFY row_number() OVER (PARTITION BY cik, accession ORDER BY source_date) = 1
  )
  SELECT s.cik, any_value(s.ticker) AS ticker, strftime(any_value(s.period), '%Y-%m-%d') AS period,
    strftime(any_value(s.source_date), '%Y-%m-%d') AS "knownOn", coalesce(any_value(s.risk_tier), 'UNCLASSIFIED') AS tier,
    -- a row without its basis was published before there was one: nothing of it is known to be proven
    coalesce(any_value(s.figures_basis), 'both_unproven') AS "figuresBasis",
    coalesce(any_value(s.crypto_units_basis), 'unavailable') AS "coinsBasis",
    any_value(s.crypto_share_of_assets) AS "coinShare",
    -- as published: of an issuer with debt and without coins the cap (M3.3)
    any_value(CASE WHEN s.figures_basis <> 'resolved' THEN NULL
      ELSE (s.payload->>'stress_50pct')::DOUBLE END) AS stress50, any_value(s.breach_probability_1y) AS "breachProbability",
    any_value(s.total_long_term_debt)::DOUBLE AS debt, any_value(s.total_crypto_fair_value)::DOUBLE AS crypto,
    {"totalAssets": ${item('Assets')},
      "currentAssets": ${item('AssetsCurrent')},
      "currentLiabilities": ${item('LiabilitiesCurrent')},
      "retainedEarnings": ${item('RetainedEarningsAccumulatedDeficit')},
      "equity": ${item('StockholdersEquity')},
      "totalLiabilities": ${item('Liabilities')},
      "operatingIncome": max(f.value) FILTER (WHERE f.concept = 'OperatingIncomeLoss'
        AND datediff('day', f.start, f."end") + 1 BETWEEN 350 AND 380)} AS sheet
  FROM first_of_filing s
  LEFT JOIN facts f ON f.cik = s.cik AND f.accession = s.accession AND f."end" = s.period
    AND f.taxonomy = 'us-gaap' AND f.unit = 'USD'
  GROUP BY s.cik, s.accession
  ORDER BY s.cik, "knownOn", s.accession`;

type Sheet = { readonly [K in keyof AltmanInputs]: number | null };

function zOf(sheet: Sheet): number | null {
  return Object.values(sheet).includes(null) ? null : altmanZ(sheet as AltmanInputs);
}

function ratioOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole <= 0 ? null : part / whole;
}

const caseColumns = [
  ...['ticker', 'cik', 'date', 'known_on', 'scope', 'asset', 'debt_usd', 'crypto_usd', 'assets_usd'],
  ...['basis', 'selected_on_outcome'],
] as const;
const amount = /^\d{1,18}$/;

/**
 * Reads `data/registry/reference-cases.csv` (METHODOLOGY 12.1) and assesses each case with the calculators of the
 * slice: base bands without equity and without a cross-section, so never notched.
 *
 * @throws IssuerError `validation_failed` naming the line that is not well formed.
 */
export function readReferenceCases({
  path,
  text,
  parameters,
}: {
  path: string;
  text: string;
  parameters: Parameters;
}): readonly Observation[] {
  return csvRecords({ path, text, columns: caseColumns }).map(({ line, cells }) => {
    const cell = (name: string) => cells?.[name] ?? '';
    const scope = cell('scope');
    const dated = isCivilDate(cell('date')) && isCivilDate(cell('known_on'));
    const priced = amount.test(cell('debt_usd')) && amount.test(cell('crypto_usd'));
    const scoped = scope === 'entity' || scope === 'facility';
    if (!/^\d{10}$/.test(cell('cik')) || !dated || !priced || !scoped) {
      throw refusedFile(
        path,
        `line ${line} needs a ten-digit cik, two days, entity or facility, and USD amounts`,
      );
    }
    const coinsBasis = cryptoUnitsBases.find((known) => known === cell('basis'));
    const selected = cell('selected_on_outcome');
    if (coinsBasis === undefined || !/^(yes|no)$/.test(selected)) {
      throw refusedFile(
        path,
        `line ${line} needs the basis of its coins, and yes or no for selected_on_outcome`,
      );
    }
    const position = {
      debt: ExactDecimal.parse(cell('debt_usd')),
      crypto: ExactDecimal.parse(cell('crypto_usd')),
    };
    return {
      origin: 'reference',
      scope,
      cik: cell('cik'),
      ticker: cell('ticker'),
      period: cell('date'),
      knownOn: cell('known_on'),
      figuresBasis: 'resolved',
      coinsBasis,
      selectedOnOutcome: selected === 'yes',
      ...assessed({ ...position, asset: cell('asset') }, parameters),
      debtToAssets: amount.test(cell('assets_usd'))
        ? Number(cell('debt_usd')) / Number(cell('assets_usd'))
        : null,
      coinShare: amount.test(cell('assets_usd'))
        ? Number(cell('crypto_usd')) / Number(cell('assets_usd'))
        : null,
      altmanZ: null,
    };
  });
}

function assessed(
  { debt, crypto, asset }: { debt: ExactDecimal; crypto: ExactDecimal; asset: string },
  parameters: Parameters,
): Pick<Observation, 'tier' | 'stress50' | 'breachProbability' | 'loanToValue'> {
  const bare = crypto.sign === 0;
  const figures = assessStress(
    { debt, crypto, equity: null, mix: bare ? [] : [{ asset, amount: crypto }] },
    { proof: 'proven', unclassified: bare, parameters },
  );
  return {
    tier: figures.riskTier,
    stress50: figures.stress50,
    breachProbability: bare ? null : (figures.covenant?.breachProbability ?? null),
    loanToValue: bare ? null : Number(debt.toString()) / Number(crypto.toString()),
  };
}
