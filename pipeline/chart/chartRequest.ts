import type { DuckDBConnection } from '@duckdb/node-api';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { Chart } from '../../calculators/visual/chart/chart.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { DataLayout } from '../dataLayout.ts';

/** The charts that can be rendered, in the order of the help. */
export const chartViews = [
  'history',
  'ladder',
  'debt',
  'loan',
  'units',
  'field',
  'factors',
  'pressure',
  'prices',
  'wall',
  'claims',
  'per-share',
] as const;
export type ChartView = (typeof chartViews)[number];

/** Width of a chart in whole px: 360 serves a phone, a column and half an A4 page, an analyst asks for up to 1600. */
export const chartWidths = { least: 360, most: 1_600 } as const;

/** What a view draws from: an open warehouse, the method, and what was asked for. */
export type ChartRequest = {
  readonly connection: DuckDBConnection;
  readonly layout: DataLayout;
  readonly parameters: Parameters;
  /** Ticker, former ticker, CIK or product; null for a view of the whole slice. */
  readonly subject: string | null;
  /** Which loan, of several. */
  readonly facility: string | null;
  /** Fall of the coins that claims are shown at; 0.5 is half. */
  readonly fall: number;
  /** Of the chart itself, in px. */
  readonly width: number;
};

/** What a chart is rendered from. */
export type Input<Draw> = Draw extends (input: infer Rows) => Chart ? Rows : never;

/** The subject of a view that needs one. @throws IssuerError `usage` */
export function subjectOf({ subject }: ChartRequest, what: string): string {
  if (subject !== null) return subject;
  throw new IssuerError({
    code: 'usage',
    message: `This chart is of one ${what}; none was named.`,
    hint: `Name it after the view: issuer chart history MSTR, issuer chart field BTC-PERP-INTX.`,
  });
}

/** There is nothing to draw. */
export function nothingToDraw(message: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message,
    hint: 'See what there is with `issuer query --list`.',
  });
}
