import { writeChartSvg } from '../chart/writeChartSvg.ts';
import { briefPage } from '../page/briefPage.ts';
import type { Report } from './report.ts';

/** A report as its page, each chart in the colours of print (V53–V56). */
export function reportPage(report: Report): string {
  const svgs = report.cards.flatMap(({ id, chart }) =>
    chart === null
      ? []
      : [[id, writeChartSvg(chart, { theme: 'light', idPrefix: `${id}-`, faces: 'none' })] as const],
  );
  return briefPage(report, { svgs: new Map(svgs) });
}
