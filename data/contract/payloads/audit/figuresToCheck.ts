import { z } from 'zod';
import { releaseName } from '../../release/releaseFiles.ts';
import { riskTiers } from '../../values/enums.ts';
import { cik10, count, date, ratio } from '../../values/primitives.ts';

/** What a figure could do to the tier of its row if it is wrong, gravest first. */
export const figureReaches = ['another_tier', 'unknown', 'same_tier', 'no_tier'] as const;
export type FigureReach = (typeof figureReaches)[number];

const band = z.enum(['LOW', 'MODERATE', 'HIGH', 'CRITICAL']);

/** One figure of a row that an analyst should look at (M13.11). */
export const figureDoubt = z.strictObject({
  ticker: z.string(),
  cik: cik10,
  period: date,
  figure: z.enum(['debt', 'coins', 'share', 'tier']),
  /** The note or check that raises it. */
  kind: z.string(),
  /** What is odd, with the numbers. */
  finding: z.string(),
  /** Other issuers that the same missing or refused close concerns, by ticker; absent without any. */
  also_concerns: z.exactOptional(z.array(z.string()).min(1)),
  reach: z.enum(figureReaches),
  /** As published. */
  risk_tier: z.enum(riskTiers),
  /** Ratio of the published figures and its band, before notches. */
  stress_50pct: ratio,
  band,
  /** The same with the other figure; null where no other amount is known. */
  other_stress_50pct: ratio.nullable(),
  other_band: band.nullable(),
  /** The command that shows the filed facts behind it. */
  explain: z.string(),
});
export type FigureDoubt = z.infer<typeof figureDoubt>;

/** The figures of one slice to look at first, in that order (M13.11). */
export const figuresToCheck = z.strictObject({
  schema_id: z.literal('figures_to_check.v1'),
  source_date: date,
  release: releaseName,
  /** Rows looked at. */
  row_count: count,
  /** Rows that could be held against an earlier filing of their issuer. */
  compared_count: count,
  /** All doubts, a close counted once; `doubts` may hold the first of them only. */
  doubt_count: count,
  doubts: z.array(figureDoubt),
});
export type FiguresToCheck = z.infer<typeof figuresToCheck>;

/** Name of the list beside `<day>.json` of the audits, which takes it over. */
export function figuresFile(day: string): string {
  return `${day}.figures.json`;
}
