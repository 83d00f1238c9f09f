import { daysBetween } from '../../exact/civilDate.ts';
import type { Chart } from './chart.ts';
import { countText } from './figures.ts';

/** The balance sheet that a slice of an issuer rests on; ISO dates. */
export type SheetOfSlice = { readonly period: string; readonly sourceDate: string };

/** How old it is: `Balance sheet of 2025-09-30, 130 days before the slice of 2026-02-07.` */
export function sheetAgeText({ period, sourceDate }: SheetOfSlice): string {
  const days = daysBetween(period, sourceDate);
  const age = days === 1 ? '1 day' : `${countText(days)} days`;
  return `Balance sheet of ${period}, ${age} before the slice of ${sourceDate}.`;
}

/**
 * A chart of one issuer that says in its sentence and its description how old the balance sheet is (V39b).
 *
 * @param sheet null where the warehouse has no slice of the issuer
 */
export function withSheetAge(chart: Chart, sheet: SheetOfSlice | null): Chart {
  if (sheet === null) return chart;
  const text = sheetAgeText(sheet);
  const ended = /[.!?]$/.test(chart.desc) ? chart.desc : `${chart.desc}.`;
  return { ...chart, sentence: `${chart.sentence} ${text}`, desc: `${ended} ${text}` };
}
