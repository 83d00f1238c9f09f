import { z } from 'zod';
import { type AlphaOpportunityRow, alphaOpportunityRow } from './alphaOpportunities.ts';
import { type AlphaAuditRow, alphaAuditRow } from './alphaOpportunitiesAudit.ts';
import { type AlphaSignals, alphaSignals } from './alphaSignals.ts';
import { type CalculationHistoryRow, calculationHistoryRow } from './calculationHistory.ts';
import { type CompanyRow, companyRow } from './companies.ts';
import { type CompanyFundamentals, companyFundamentals } from './companyFundamentals.ts';
import { type CoreHistoryRow, coreHistoryRow } from './coreHistory.ts';
import { type CovenantStress, covenantStress } from './covenantStress.ts';
import { type EvidenceTag, evidenceTag } from './dailyChangeEvidence.ts';
import { type ChangedCompany, changedCompany } from './dailyChanges.ts';
import * as e from './enums.ts';
import { type PeerRanking, peerRanking } from './peerRanking.ts';
import { cik10, count, date, ticker } from './primitives.ts';
import type { RowStoreCell } from './releaseFiles.ts';
import { type TopStressedRow, topStressedRow } from './topStressed.ts';

/**
 * What a row store is (I4.33): its key, the schema of a row, and how each column of its index follows from a row
 * and from what is known beside it. The pipeline writes by it and the server selects by it, so that no view has
 * to read a row.
 */
export type RowStore<Row, Beside, Meta, Column extends string, Key extends readonly string[]> = {
  /** Key inside the release, without `.ndjson`. */
  readonly key: (...parts: Key) => string;
  readonly row: z.ZodType;
  /** What holds for the whole store; part of its index. */
  readonly meta: z.ZodType<Meta>;
  readonly columns: Readonly<Record<Column, (row: Row, beside: Beside) => RowStoreCell>>;
};

/** A row store of any kind, as far as selecting needs it. */
export type AnyRowStore = RowStore<never, never, unknown, string, never>;
/** Columns of a row store. */
export type ColumnOf<S extends AnyRowStore> = keyof S['columns'] & string;
/** What holds for a whole store. */
export type MetaOf<S extends AnyRowStore> = z.infer<S['meta']>;

function define<Row, Beside, Meta, Column extends string, Key extends readonly string[]>(
  store: RowStore<Row, Beside, Meta, Column, Key>,
): RowStore<Row, Beside, Meta, Column, Key> {
  return store;
}

const nothing = z.strictObject({});
const bySlice = (name: string) => (slice: string) => `${name}/${slice}`;

/** R11 of past dates, R12: ordered by stress_50pct desc, ticker asc (I4.R12.4). */
export const covenantSlice = define({
  key: bySlice('covenant-slice'),
  row: covenantStress,
  meta: nothing,
  columns: {
    cik: (row: CovenantStress, _: { readonly unrankedReason: e.UnrankedReason | null }) => row.cik,
    ticker: (row) => row.ticker,
    period: (row) => row.period ?? null,
    risk_tier: (row) => row.risk_tier,
    quality_flag: (row) => row.quality_flag,
    debt_coverage_status: (row) => row.debt_coverage_status,
    stress_50pct: (row) => row.stress_50pct,
    is_linkbase_backed: (row) => row.is_linkbase_backed,
    unranked_reason: (_, beside) => beside.unrankedReason,
  },
});

/** R05: ordered by rank (I2.49). */
export const topStressed = define({
  key: bySlice('top-stressed'),
  row: topStressedRow,
  meta: z.strictObject({ excluded_unclassified: count }),
  columns: {
    rank: (row: TopStressedRow, _: null) => row.rank,
    ticker: (row) => row.ticker,
    cik: (row) => row.cik ?? null,
  },
});

/** R08 of past dates: ordered by CIK (I4.36). */
export const fundamentals = define({
  key: bySlice('fundamentals'),
  row: companyFundamentals,
  meta: nothing,
  columns: {
    cik: (row: CompanyFundamentals, _: null) => row.cik,
    ticker: (row) => row.ticker,
    period: (row) => row.period,
  },
});

/** R09 of past dates: ordered by CIK (I4.36). */
export const alphaSignalsSlice = define({
  key: bySlice('alpha-signals'),
  row: alphaSignals,
  meta: nothing,
  columns: {
    cik: (row: AlphaSignals, _: null) => row.cik ?? null,
    ticker: (row) => row.ticker,
    period: (row) => row.period ?? null,
  },
});

/** R10 of past dates: ranked issuers, ordered by CIK (I4.36). */
export const peerRankingSlice = define({
  key: bySlice('peer-ranking'),
  row: peerRanking,
  meta: nothing,
  columns: {
    cik: (row: PeerRanking, _: null) => row.cik,
    ticker: (row) => row.ticker,
    period: (row) => row.period ?? null,
  },
});

/** What the board's filters need and its rows do not say. */
type BoardStanding = {
  readonly issuerType: e.IssuerType;
  readonly quality: e.NormQuality;
  /** First failed gate; null for rows of the default board (M5.16). */
  readonly failedGate: e.BoardGate | null;
  /** First failed gate other than `issuer_type`: a fund whose only gate is its type has null here. */
  readonly failedGateBesidesType: e.BoardGate | null;
};

/** R06: every issuer with a score, in board order (M5.17), gates beside it (I4.R06.2). */
export const alphaBoard = define({
  key: bySlice('alpha-board'),
  row: alphaOpportunityRow,
  meta: z.strictObject({
    market_regime: z.enum(e.alphaRegimes),
    tower_status: z.enum(e.towerStatuses),
    tower_coherence: z.number().min(0).max(1).nullable(),
  }),
  columns: {
    cik: (row: AlphaOpportunityRow, _: BoardStanding) => row.cik ?? null,
    ticker: (row) => row.ticker,
    alpha_score: (row) => row.alpha_score,
    risk_tier: (row) => row.risk_tier ?? null,
    debt_coverage_status: (row) => row.debt_coverage_status,
    quality: (_, beside) => beside.quality,
    issuer_type: (_, beside) => beside.issuerType,
    failed_gate: (_, beside) => beside.failedGate,
    failed_gate_besides_type: (_, beside) => beside.failedGateBesidesType,
  },
});

/** R07: every issuer with a score, in raw order (M5.19). */
export const alphaBoardAudit = define({
  key: bySlice('alpha-board-audit'),
  row: alphaAuditRow,
  meta: nothing,
  columns: {
    cik: (row: AlphaAuditRow, _: null) => row.cik,
    ticker: (row) => row.ticker,
    issuer_type: (row) => row.issuer_type,
    raw_rank: (row) => row.raw_rank,
    board_rank: (row) => row.board_rank,
    rank_delta: (row) => row.rank_delta,
    failed_gate: (row) => row.failed_gate,
  },
});

/** R02: the rows of both lists, each list ordered by delta_size desc, cik asc (I2.22). */
export const dailyChanges = define({
  key: bySlice('daily-changes'),
  row: changedCompany,
  /** The days of `daily-window/{day}.json` in this release, ascending, and what the totals of a window need. */
  meta: z.strictObject({
    /** `source_date` of the answer: `delta_source_date` of the release (I3.27). */
    source_date: date,
    window_source: z.string(),
    window_days: z.array(date),
    window_change_blob_counts: z.array(count),
    window_changed_filing_counts: z.array(count),
    /** True for a day that has its archive and its summary (I3.21). */
    window_complete: z.array(z.boolean()),
  }),
  columns: {
    cik: (row: ChangedCompany, _: { readonly list: 'changed' | 'new' }) => row.cik,
    list: (_, beside) => beside.list,
  },
});

/** R03: evidence lines of one issuer, ordered by concept, period end, accession (I2.33). */
export const dailyEvidence = define({
  key: (slice: string, cik: string) => `daily-evidence/${slice}/CIK${cik}`,
  row: evidenceTag,
  meta: z.strictObject({
    cik: cik10,
    /** As in the answer: the ticker, or null for an issuer without one. */
    ticker: ticker.nullable(),
    entity_name: z.string(),
    /** Date of the delta the lines belong to. */
    source_date: date,
  }),
  columns: { tag_family: (row: EvidenceTag, _: null) => row.tag_family ?? null },
});

/** R23: one row a source_date, ascending (I2.52). */
export const coreHistory = define({
  key: (cik: string) => `core-history/CIK${cik}`,
  row: coreHistoryRow,
  meta: z.strictObject({
    first_source_date: date,
    last_source_date: date,
    /** Promoted slices between the two without a row of this issuer. */
    missing_source_date_count: count,
  }),
  columns: {
    source_date: (row: CoreHistoryRow, _: null) => row.source_date,
    // finds the newest slice with a filing period without opening the slices (I4.16)
    period: (row) => row.period,
  },
});

/** R24: two rows a source_date, ascending: the compact form, then the full one (I4.R24.2). */
export const calculationHistory = define({
  key: (cik: string) => `calc-history/CIK${cik}`,
  row: calculationHistoryRow,
  meta: z.strictObject({ method_version: z.string() }),
  columns: {
    source_date: (row: CalculationHistoryRow, _: { readonly mode: 'compact' | 'full' }) => row.source_date,
    mode: (_, beside) => beside.mode,
  },
});

/** F08: issuers of the universe, ordered by name, then CIK (I4.F08.2). */
export const companies = define({
  key: bySlice('companies'),
  row: companyRow,
  meta: nothing,
  columns: {
    cik: (row: CompanyRow, _: null) => row.cik,
    ticker: (row) => row.ticker,
    name: (row) => row.name,
    aliases: (row) => row.aliases,
    category: (row) => row.category,
    coverage_status: (row) => row.coverage_status,
    // what a search term is looked for in: ticker, aliases, name, CIK digits (I4.F08.1)
    search: (row) => [row.ticker ?? '', ...row.aliases, row.name, row.cik].join('\n').toLowerCase(),
  },
});
