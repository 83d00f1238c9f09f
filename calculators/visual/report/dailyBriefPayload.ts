import { sha256 } from '@noble/hashes/sha2.js';
import type { AlphaSignals } from '../../../data/contract/payloads/issuer/alphaSignals.ts';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import {
  type DailyBrief,
  longestDailyBrief,
  summaryRows,
} from '../../../data/contract/payloads/reports/dailyBrief.ts';
import {
  type DailyChangesArtifact,
  toldChanges,
} from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import type { ReadinessArtifact } from '../../../data/contract/payloads/universe/readiness.ts';
import type { RiskDistribution } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { disclaimer } from '../../../data/contract/values/disclaimer.ts';
import type { FigureTable } from '../chart/chart.ts';
import type { PressureBands, ProductPressure } from '../chart/pressureRows.ts';
import type { CoinCloses } from '../chart/priceRows.ts';
import type { RegimeDay } from '../chart/regimeStrip.ts';
import type { StressBands } from '../chart/stressHistory.ts';
import { writeChartSvg } from '../chart/writeChartSvg.ts';
import { briefPage } from '../page/briefPage.ts';
import type { Report } from './report.ts';

/** What a daily brief is made from: published payloads of one slice, its closes and its rules. */
export type DailyBriefFacts = {
  readonly sourceDate: string;
  /** UTC instant of the run. */
  readonly publishedAt: string;
  /** Issuers that are watched, with a row or without. */
  readonly universeCount: number;
  readonly sliceStatus: 'complete' | 'partial';
  readonly readiness: ReadinessArtifact;
  readonly changes: DailyChangesArtifact;
  /** Tiers at live closes with those of the filings beside them; of a slice that was not repriced the latter alone. */
  readonly risk: { readonly shown: RiskDistribution; readonly filing: RiskDistribution | null };
  /** The rows that `risk.shown` counts as UNCLASSIFIED. */
  readonly untiered: readonly CovenantStress[];
  /** Night whose archive the facts were compared with; null on the first one, of which no change is known. */
  readonly comparedWith: string | null;
  /** The issuers of the top-stressed list in its order, as their covenant rows (R05, R11). */
  readonly stressed: readonly CovenantStress[];
  /** The issuers of the alpha board in its order, as their signals (R06, R09). */
  readonly board: readonly AlphaSignals[];
  /** Days up to the slice, ascending. */
  readonly regimes: readonly RegimeDay[];
  readonly coins: readonly CoinCloses[];
  /** Perpetual products; null where the slice has no market half. */
  readonly products: readonly ProductPressure[] | null;
  readonly bands: { readonly stress: StressBands; readonly pressure: PressureBands };
};

/** The published brief of a slice (I4.R28.3): the same report as JSON, with its page and its plain text. */
export function dailyBriefPayload(facts: DailyBriefFacts, report: Report): DailyBrief {
  const drawn = report.cards.flatMap(({ id, chart }) =>
    chart === null
      ? []
      : [{ id, chart, svg: writeChartSvg(chart, { theme: 'light', idPrefix: 'chart-', faces: 'none' }) }],
  );
  const evidence = {
    market_regime: facts.readiness.market_regime ?? null,
    public_summary: summaryOf(facts),
    sections: report.cards.map(({ id, heading, paragraphs, table }) => ({
      id,
      heading,
      paragraphs: [...paragraphs],
      table:
        table === null
          ? null
          : { columns: table.columns.map(({ label }) => label), rows: table.rows.map((row) => [...row]) },
    })),
  };
  return {
    ...evidence,
    brief_id: `dbr-${report.sourceDate}`,
    title: report.title,
    source_date: report.sourceDate,
    published_at: report.publishedAt,
    headline: report.headline,
    html: briefPage(report, { svgs: new Map(drawn.map(({ id, svg }) => [id, svg])) }),
    copy_text: plainText(report, longestDailyBrief.copyText),
    charts: drawn.map(({ chart, svg }) => ({ id: chart.id, title: chart.title, alt: chart.desc, svg })),
    term_explanations: report.terms.map((one) => ({ ...one })),
    evidence_boundary: [...report.boundary],
    caveats: [...report.caveats],
    quality_flags: qualityFlags(facts),
    disclaimer,
    evidence_hash: sha256(new TextEncoder().encode(canonicalJson(evidence))).toHex(),
    evidence_hash_version: 'evh-1-jcs-sha256',
    compiler_version: 'brief-1.0',
  };
}

function summaryOf({
  risk,
  changes,
  stressed,
  board,
  universeCount,
}: DailyBriefFacts): DailyBrief['public_summary'] {
  const { filing, shown } = risk;
  const told = toldChanges(changes);
  const indebted = stressed.map((row) => {
    const live = row.live_stress_50pct ?? null;
    return {
      ticker: row.ticker,
      value: live ?? row.stress_50pct,
      label: live === null ? row.risk_tier : (row.live_risk_tier ?? 'UNCLASSIFIED'),
    };
  });
  return {
    universe_count: universeCount,
    row_count: shown.meta.total,
    changed_company_count: told.company_count,
    new_company_count: told.new_company_count,
    other_company_count: told.other_company_count,
    risk_distribution: sharesOf(shown),
    risk_distribution_basis: shown.meta.basis,
    filed_risk_distribution: sharesOf(filing ?? shown),
    live_risk_distribution: shown.meta.basis === 'live' ? sharesOf(shown) : null,
    top_stressed: indebted.filter(({ value }) => value > 0).slice(0, summaryRows),
    alpha_board: board.slice(0, summaryRows).map(({ ticker, alpha_score, treasury_strength }) => ({
      ticker,
      value: alpha_score,
      label: treasury_strength,
    })),
  };
}

function sharesOf({ CRITICAL, HIGH, MODERATE, LOW, UNCLASSIFIED }: RiskDistribution) {
  return { CRITICAL, HIGH, MODERATE, LOW, UNCLASSIFIED };
}

function qualityFlags({ sliceStatus, readiness, products, risk }: DailyBriefFacts): string[] {
  return [
    ...(sliceStatus === 'partial' ? ['partial_slice'] : []),
    ...(readiness.live_prices_active === true ? [] : ['live_prices_missing']),
    ...((readiness.market_regime ?? null) === null ? ['regime_unavailable'] : []),
    ...(products === null ? ['market_missing'] : []),
    ...(products?.some(({ isMadeUp }) => isMadeUp) ? ['synthetic_observations'] : []),
    ...(risk.shown.meta.total === 0 ? ['empty_slice'] : []),
  ];
}

/**
 * A report as plain text for copying: no markup, a blank line between parts, tables as lines of `column: value`. Tables
 * are dropped from the last one on where the text would be longer than `longest`.
 */
function plainText(report: Report, longest: number): string {
  for (let tables = report.cards.length; tables >= 0; tables--) {
    const text = written(report, tables);
    if (text.length <= longest) return text;
  }
  return `${report.title}\n\n${report.headline}\n\n${report.disclaimer}`;
}

function written(report: Report, tables: number): string {
  const { title, publishedAt, headline, lede, keyFigures, cards, terms, boundary, caveats } = report;
  const list = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [[heading, ...lines.map((line) => `- ${line}`)].join('\n')];
  return [
    `${title}, published ${publishedAt}`,
    headline,
    lede,
    keyFigures
      .map(({ label, value, note }) => `${label}: ${value}${note === null ? '' : ` (${note})`}`)
      .join('\n'),
    ...cards.map(({ heading, paragraphs, table }, i) =>
      [heading, ...paragraphs, ...(table === null || i >= tables ? [] : tableLines(table))].join('\n'),
    ),
    ...list(
      'Terms',
      terms.map(({ term, explanation }) => `${term}: ${explanation}`),
    ),
    ...list('What the evidence covers', boundary),
    ...list('Caveats', caveats),
    report.disclaimer,
  ].join('\n\n');
}

function tableLines({ caption, columns, rows }: FigureTable): string[] {
  const lines = rows.map(([first = '', ...rest]) =>
    [first, ...rest.map((cell, i) => `${columns[i + 1]?.label ?? ''} ${cell}`)].join('; '),
  );
  return [`${caption}:`, ...lines];
}
