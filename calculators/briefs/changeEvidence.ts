import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import {
  type DailyChangesArtifact,
  toldChanges,
} from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { MovementSummary } from '../changes/dailyChanges.ts';
import { absolute } from '../exact/decimals.ts';
import { moneyText } from './briefEvidence.ts';

const shownMoves = 5;

/**
 * What changed since the slice before and on which filing it rests: filings that came into force, the largest first
 * (a changed tier, then the size of the change of debt), with the figures each moved.
 *
 * @param limit filings shown
 */
export function changeEvidence(
  changes: DailyChangesArtifact,
  { rows, limit }: { rows: readonly CovenantStress[]; limit: number },
) {
  const movement = changes.movement_summary as MovementSummary | undefined;
  const freshness = (changes.freshness_summary ?? {}) as Readonly<Record<string, unknown>>;
  const tierMoves = (changes.risk_tier_moves ?? []).map(({ ticker, cik, prior_tier, new_tier }) => ({
    ticker,
    cik,
    prior_tier,
    new_tier,
  }));
  const filings = filingMoves(movement, tierMoves, rows);
  const refiled = new Set(filings.map(({ cik }) => cik));
  const onSameFiling = tierMoves.filter(({ cik }) => !refiled.has(cik));
  const entered = movement?.issuers_entered ?? [];
  const left = movement?.issuers_left ?? [];
  const loans = loanMoves(movement);
  return {
    source_date: changes.source_date,
    comparison_source_date: changes.comparison_source_date ?? null,
    baseline_source_date: textOf(freshness['baseline_source_date']),
    gate_passed: freshness['gate_passed'] === true,
    gate_reasons: textsOf(freshness['gate_reasons']),
    changed_company_count: changes.stats.changed_company_count,
    new_company_count: changes.stats.new_company_count,
    universe_stats: toldChanges(changes),
    total_delta_size: changes.stats.total_delta_size,
    filing_count: filings.length,
    filings: filings.slice(0, limit),
    tier_moves_on_same_filing: onSameFiling.slice(0, limit),
    entered: entered.slice(0, limit).map(({ cik, ticker }) => firstFiling(cik, ticker, rows)),
    left: left.slice(0, limit).map(({ ticker }) => ticker),
    loans: loans.slice(0, shownMoves),
    not_listed: {
      filings: beyond(filings, limit),
      tier_moves_on_same_filing: beyond(onSameFiling, limit),
      entered: beyond(entered, limit),
      left: beyond(left, limit),
      loans: beyond(loans, shownMoves),
    },
    alpha_moves: (changes.alpha_change_leaders ?? [])
      .filter(({ delta }) => delta !== null && delta !== 0)
      .slice(0, shownMoves)
      .map(({ ticker, prior_value, new_value, delta }) => ({ ticker, prior_value, new_value, delta })),
  };
}

export type ChangeEvidence = ReturnType<typeof changeEvidence>;
export type FilingMove = ReturnType<typeof filingMoves>[number];

/** Filings in force that replaced another one, with what they moved. */
export function filingMoves(
  movement: MovementSummary | undefined,
  tierMoves: readonly { readonly cik: string; readonly prior_tier: string; readonly new_tier: string }[],
  rows: readonly CovenantStress[],
) {
  const tiers = new Map(tierMoves.map((move) => [move.cik, move]));
  const bases = new Map(rows.map((row) => [row.cik, row.figures_basis ?? null]));
  const reread = new Set((movement?.method_changed ?? []).map(({ cik }) => cik));
  return (movement?.new_filings_in_force ?? [])
    .map((filing) => ({
      ticker: filing.ticker,
      cik: filing.cik,
      filing_form: filing.filing_form,
      period: filing.period,
      accession_number: filing.accession_number,
      filing_url: filing.filing_url,
      figures_basis: bases.get(filing.cik) ?? null,
      prior_tier: tiers.get(filing.cik)?.prior_tier ?? null,
      new_tier: tiers.get(filing.cik)?.new_tier ?? null,
      method_changed: reread.has(filing.cik),
      figures: (movement?.moved_figures ?? [])
        .filter(({ cik }) => cik === filing.cik)
        .map(({ field, prior_value, new_value }) => ({
          field,
          prior_value: moneyText(prior_value),
          new_value: moneyText(new_value),
        })),
    }))
    .sort(
      (a, b) =>
        Number(b.new_tier !== null) - Number(a.new_tier !== null) ||
        debtMove(b).compare(debtMove(a)) ||
        compareText(a.ticker, b.ticker),
    );
}

type Moved = {
  readonly figures: readonly { field: string; prior_value: string | null; new_value: string | null }[];
};

function debtMove({ figures }: Moved): ExactDecimal {
  const debt = figures.find(({ field }) => field === 'total_long_term_debt');
  const of = (text: string | null | undefined) => ExactDecimal.parse(text ?? '0');
  return absolute(of(debt?.new_value).minus(of(debt?.prior_value)));
}

function firstFiling(cik: string, ticker: string, rows: readonly CovenantStress[]) {
  const row = rows.find((one) => one.cik === cik);
  return {
    ticker,
    risk_tier: row?.risk_tier ?? null,
    filing_form: row?.filing_form ?? null,
    period: row?.period ?? null,
    accession_number: row?.accession_number ?? null,
    filing_url: row?.filing_url ?? null,
  };
}

/** Loans that a new filing states, states otherwise, or does not show. */
export function loanMoves(movement: MovementSummary | undefined) {
  return (movement?.moved_facilities ?? []).map((move) => ({
    ticker: move.ticker,
    name: move.name,
    change: move.change,
    as_of: move.as_of,
    collateral_asset: move.collateral_asset,
    prior_drawn: moneyText(move.prior?.drawn),
    drawn: moneyText(move.now?.drawn),
    margin_call_price: move.now?.margin_call_price?.toNumber() ?? null,
    accession_number: move.accession_number,
  }));
}

/** How many of a list stand behind its first `shown`. */
export const beyond = (list: readonly unknown[], shown: number) => Math.max(0, list.length - shown);

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
const textsOf = (value: unknown) =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
