import type { DuckDBConnection } from '@duckdb/node-api';
import type { ArchiveScan } from '../../calculators/changes/changeGate.ts';
import {
  type CompanyChange,
  type CompanyProfile,
  companyChange,
  compareCompanies,
} from '../../calculators/changes/companyChange.ts';
import { dailyChanges, type ListedCompany } from '../../calculators/changes/dailyChanges.ts';
import { evidenceFilings, evidenceLines } from '../../calculators/changes/evidenceLines.ts';
import { deltaDay, selectDelta } from '../../calculators/changes/selectDelta.ts';
import { sliceMoves } from '../../calculators/changes/sliceMoves.ts';
import type { IssuerResult } from '../../calculators/composeSlice.ts';
import type { Issuer } from '../../calculators/filing/rows.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type {
  EvidenceFiling,
  EvidenceTag,
} from '../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import type { DeltaDay } from '../../data/contract/payloads/universe/dailyChanges.ts';
import type { DailyChangesArtifact } from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { tickerPattern } from '../../data/contract/values/primitives.ts';
import { reasonOf } from '../compute/leftOut.ts';
import type { Log } from '../effects.ts';
import { insertRows } from '../warehouse/build/insertRows.ts';
import { readRows, readSql } from '../warehouse/build/readRows.ts';
import type { NightDelta } from './nightDelta.ts';
import { type PreviousSlice, standingsOf } from './readStandings.ts';
import { selectChangedFilings, selectFactChanges, selectNightRows, selectScanFiles } from './selectNight.ts';

/** Evidence lines of one registrant of the delta shown. */
type IssuerEvidence = {
  readonly cik: string;
  readonly ticker: string | null;
  readonly entityName: string;
  readonly filings: readonly EvidenceFiling[];
  readonly lines: readonly EvidenceTag[];
};

/** All a release and the warehouse say of one night's changes. */
export type NightChanges = {
  readonly payload: DailyChangesArtifact;
  /** Rows of the delta shown, each list in its order. */
  readonly listed: readonly ListedCompany[];
  /** Registrants of the night's own delta, which the warehouse keeps. */
  readonly own: readonly CompanyChange[];
  readonly evidence: readonly IssuerEvidence[];
  /** Recorded days up to the night, ascending. */
  readonly windowDays: readonly DeltaDay[];
  readonly delta: NightDelta;
};

type Asked = {
  readonly delta: NightDelta;
  readonly asOf: string;
  readonly issuers: readonly Issuer[];
  readonly results: readonly IssuerResult[];
  readonly scores: ReadonlyMap<string, number>;
  readonly previous: PreviousSlice | null;
  readonly parameters: Parameters;
  readonly log: Log;
};

/** Classifies the registrants of a night's delta and composes what the release says of it (METHODOLOGY 6). */
export async function nightChanges(connection: DuckDBConnection, asked: Asked): Promise<NightChanges> {
  const { delta, asOf, issuers, results, scores, previous, parameters } = asked;
  const { sourceDate, scan, earlier, verdict } = delta;
  const files = await selectScanFiles(connection, sourceDate);
  const own = await ownChanges(connection, files, asked);
  const selection = selectDelta({
    date: sourceDate,
    scan,
    verdict,
    lastPassed: earlier.lastPassed,
    ownRows: own.length,
    calendar: delta.calendar,
    parameters,
  });
  const shown =
    selection.shown === sourceDate
      ? own.map(({ list, row }) => ({ list, row })).sort((a, b) => compareText(a.list, b.list))
      : await selectNightRows(connection, selection.shown);
  const evidence = await evidenceOf(connection, { ...asked, shown, day: selection.shown });
  const evident = new Set(evidence.map(({ cik }) => cik));
  const listed = shown.map((one) =>
    one.row.evidence_available === true && !evident.has(one.row.cik)
      ? { ...one, row: { ...one.row, evidence_available: false } }
      : one,
  );
  const tickers = new Map(
    own.flatMap(({ row }) => (row.ticker === undefined ? [] : [[row.cik, row.ticker]])),
  );
  const filings = scan === null ? [] : await selectChangedFilings(connection, { day: sourceDate, tickers });
  const today = scan === null ? [] : [deltaDay({ scan, files: files.names, filings })];
  const newest = (keep: (one: ArchiveScan) => boolean) => delta.scans.findLast(keep)?.date ?? null;
  const ownDate = (keep: (one: CompanyChange) => boolean) => (own.some(keep) ? sourceDate : null);
  return {
    payload: dailyChanges({
      sourceDate,
      asOf,
      selection,
      verdict,
      own,
      scan,
      listed,
      universe: new Set(issuers.map(({ cik }) => cik)),
      shownScan: delta.scans.find((one) => one.date === selection.shown) ?? null,
      lastScan: delta.scans.at(-1) ?? null,
      latest: {
        delta: ownDate(() => true) ?? earlier.lastDelta,
        digital: ownDate(({ row }) => row.has_digital_assets === true) ?? earlier.lastDigital,
        meaningful: ownDate(({ meaningfulRows }) => meaningfulRows > 0) ?? earlier.lastMeaningful,
        activity: newest((one) => one.changedFiles + one.newFiles + one.removedFiles > 0),
        summary: newest((one) => one.status === 'baseline' || one.status === 'compared'),
      },
      comparedWith: previous?.sourceDate ?? null,
      moves:
        previous === null
          ? null
          : sliceMoves({ before: previous.standings, now: standingsOf(results, scores) }),
    }),
    listed,
    own,
    evidence,
    windowDays: [...earlier.windowDays, ...today],
    delta,
  };
}

type ScanFiles = Awaited<ReturnType<typeof selectScanFiles>>;

/** The registrants of the night's own delta, in the order of the answer. */
async function ownChanges(
  connection: DuckDBConnection,
  { newCiks, entityNames }: ScanFiles,
  { delta: { sourceDate, series }, issuers, results, parameters, log }: Asked,
): Promise<CompanyChange[]> {
  const profiles = await selectProfiles(connection, {
    day: sourceDate,
    ciks: [...series.keys()].sort(),
    universe: new Map(issuers.map((issuer) => [issuer.cik, issuer])),
    entityNames,
    readings: new Map(results.map((result) => [result.issuer.cik, readingOf(result)])),
  });
  return eachRegistrant(profiles.values(), {
    what: 'the change row',
    nameOf: ({ ticker, cik }) => ticker ?? cik,
    make: (profile) =>
      companyChange({
        date: sourceDate,
        isNew: newCiks.has(profile.cik),
        profile,
        series: series.get(profile.cik) ?? [],
        parameters,
      }),
    log,
  }).sort((a, b) => compareCompanies(a.row, b.row));
}

/** The evidence of the rows of a day that have some. */
async function evidenceOf(
  connection: DuckDBConnection,
  { shown, day, issuers, parameters, log }: Asked & { shown: readonly ListedCompany[]; day: string },
): Promise<IssuerEvidence[]> {
  const universe = new Set(issuers.map(({ cik }) => cik));
  const rows = shown.map(({ row }) => row).filter((row) => row.evidence_available === true);
  const changes = await selectFactChanges(connection, { day, ciks: rows.map(({ cik }) => cik) });
  return eachRegistrant(rows, {
    what: 'the change evidence',
    nameOf: ({ ticker, cik }) => ticker ?? cik,
    make: (row): IssuerEvidence => ({
      cik: row.cik,
      // a label no route takes is none
      ticker: row.ticker !== undefined && tickerPattern.test(row.ticker) ? row.ticker : null,
      entityName: row.entity_name,
      filings: evidenceFilings(changes.get(row.cik) ?? [], row),
      lines: evidenceLines(changes.get(row.cik) ?? [], {
        holdsCoins: universe.has(row.cik),
        concepts: parameters.concepts,
      }),
    }),
    log,
  });
}

function readingOf({ stress, fundamentals }: IssuerResult): SliceReading {
  const assets = Number(fundamentals.fundamentals.total_assets ?? 0);
  const coins = stress.total_crypto_fair_value ?? null;
  return {
    cryptoShareOfAssets: coins === null || assets <= 0 ? null : Number(coins) / assets,
    debtIsZero:
      stress.debt_coverage_status === 'low_confidence_missing_debt'
        ? null
        : stress.debt_coverage_status !== 'resolved_nonzero',
  };
}

/** What the slice itself knows better than the archive: coins over assets and whether the debt is a measured zero. */
type SliceReading = {
  readonly cryptoShareOfAssets: number | null;
  readonly debtIsZero: boolean | null;
};

/**
 * What is known on a day of the registrants asked for: universe, ticker file, submissions, and what their facts say
 * (M6.9). Only facts and filings filed up to the day are seen (M10.2).
 *
 * @param entityNames names of registrants the archive no longer holds
 */
async function selectProfiles(
  connection: DuckDBConnection,
  {
    day,
    ciks,
    universe,
    entityNames,
    readings,
  }: {
    day: string;
    ciks: readonly string[];
    universe: ReadonlyMap<string, Issuer>;
    entityNames: ReadonlyMap<string, string>;
    readings: ReadonlyMap<string, SliceReading>;
  },
): Promise<Map<string, CompanyProfile>> {
  if (ciks.length === 0) return new Map();
  await connection.run('CREATE OR REPLACE TEMP TABLE changed_cik (cik VARCHAR NOT NULL)');
  await insertRows(connection, {
    table: 'changed_cik',
    rows: ciks.map((cik) => [cik]),
  });
  const rows = await readRows<KnownCompany>(connection, await readSql('changedCompanies.sql'), { day });
  const forms = await readRows<{ cik: string; form: string; filed: string }>(
    connection,
    `SELECT cik, form, max(filed)::VARCHAR AS filed FROM submission_filing SEMI JOIN changed_cik USING (cik)
    WHERE filed <= $day::DATE GROUP BY cik, form, date_trunc('month', filed) ORDER BY cik, filed, form`,
    { day },
  );
  await connection.run('DROP TABLE changed_cik');
  const formsOf = Map.groupBy(forms, ({ cik }) => cik);
  return new Map(
    rows.map((row): [string, CompanyProfile] => {
      const { cik, crypto, safeguarding, mining, operations } = row;
      const issuer = universe.get(cik);
      const reading = readings.get(cik);
      const profile = {
        cik,
        entityName: issuer?.entityName ?? textOf(row.name) ?? entityNames.get(cik) ?? cik,
        ticker: issuer?.ticker ?? textOf(row.ticker),
        exchange: issuer?.exchange ?? textOf(row.exchange),
        sic: textOf(row.sic),
        ownerOrg: textOf(row.owner_org),
        forms: row.in_submissions ? (formsOf.get(cik) ?? []) : null,
        universe:
          issuer === undefined ? null : { issuerType: issuer.issuerType, issuerClass: issuer.issuerClass },
        cryptoShareOfAssets: reading?.cryptoShareOfAssets ?? row.crypto_share,
        debtIsZero: reading?.debtIsZero ?? null,
        facts: {
          ...{ safeguarding, mining, operations, creationUnits: row.creation_units },
          crypto: crypto || (reading?.cryptoShareOfAssets ?? 0) > 0,
        },
      };
      return [cik, profile];
    }),
  );
}

type Texts = 'name' | 'ticker' | 'exchange' | 'sic' | 'owner_org';
type Words = 'in_submissions' | 'crypto' | 'safeguarding' | 'mining' | 'operations' | 'creation_units';
type KnownCompany = { readonly [text in Texts]: string | null } & { readonly [word in Words]: boolean } & {
  readonly cik: string;
  readonly crypto_share: number | null;
};

function textOf(value: string | null): string | null {
  return value === '' ? null : value;
}

/**
 * What is made of each registrant of a delta. One that cannot be made is reported and excluded, so that a single bad
 * company does not end the night (M6.6c).
 *
 * @throws errors that are about the run or the machine
 */
export function eachRegistrant<T, R>(
  registrants: Iterable<T>,
  { what, nameOf, make, log }: { what: string; nameOf: (one: T) => string; make: (one: T) => R; log: Log },
): R[] {
  return [...registrants].flatMap((one) => {
    try {
      return [make(one)];
    } catch (error) {
      const message = `${what} of ${nameOf(one)} cannot be made and is excluded: ${reasonOf(error)}`;
      log({ level: 'warn', step: 'changes', message });
      return [];
    }
  });
}
