import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseParameters } from '../../calculators/parameters/parameters.ts';
import type { Chart } from '../../calculators/visual/chart/chart.ts';
import { debtAndCoins } from '../../calculators/visual/chart/debtAndCoins.ts';
import { factorRows } from '../../calculators/visual/chart/factorRows.ts';
import { fieldMapRows } from '../../calculators/visual/chart/fieldMapRows.ts';
import { loanHistory } from '../../calculators/visual/chart/loanHistory.ts';
import { pressureRows } from '../../calculators/visual/chart/pressureRows.ts';
import { priceRows } from '../../calculators/visual/chart/priceRows.ts';
import { stressHistory } from '../../calculators/visual/chart/stressHistory.ts';
import { stressLadder } from '../../calculators/visual/chart/stressLadder.ts';
import { headingMargins, withHeading } from '../../calculators/visual/chart/withHeading.ts';
import { writeChartSvg } from '../../calculators/visual/chart/writeChartSvg.ts';
import type { DataLayout } from '../nightly/plan/dataLayout.ts';
import { programRoot } from '../programRoot.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import type { ChartRequest } from './chartRequest.ts';
import { readFactors, readPressure, readPrices } from './marketRows.ts';
import { readField } from './readField.ts';
import { readLoan } from './readLoan.ts';
import { readDebt, readHistory, readLadder } from './stressRows.ts';

/** Reading a view's rows, and drawing them. */
function view<Rows>(read: (chartRequest: ChartRequest) => Promise<Rows>, draw: (rows: Rows) => Chart) {
  return async (chartRequest: ChartRequest): Promise<Chart> => draw(await read(chartRequest));
}

const views = {
  history: view(readHistory, stressHistory),
  ladder: view(readLadder, stressLadder),
  debt: view(readDebt, debtAndCoins),
  loan: view(readLoan, loanHistory),
  field: view(readField, fieldMapRows),
  factors: view(readFactors, factorRows),
  pressure: view(readPressure, pressureRows),
  prices: view(readPrices, priceRows),
} as const;

export type ChartView = keyof typeof views;
/** The charts that can be drawn, in the order of the help. */
export const chartViews = Object.keys(views) as ChartView[];

/**
 * Draws one chart of the last complete build or the current release and writes it as an SVG that stands alone, with its
 * finding above it and the faces in it (V38).
 *
 * @param width of the whole picture, px.
 * @throws IssuerError `usage` for a subject that is none, `input_missing` where there is nothing to draw.
 */
export async function drawChart({
  view,
  layout,
  subject,
  facility,
  width,
  theme,
}: {
  view: ChartView;
  layout: DataLayout;
  subject: string | null;
  facility: string | null;
  width: number;
  theme: 'light' | 'dark';
}): Promise<{ readonly chart: Chart; readonly svg: string }> {
  const parameters = parseParameters(
    JSON.parse(await readFile(join(programRoot, 'data', 'registry', 'parameters.json'), 'utf8')),
  );
  const database = await openWarehouse(layout.database);
  try {
    const { connection } = database;
    const chart = await views[view]({
      connection,
      layout,
      parameters,
      subject,
      facility,
      width: width - headingMargins,
    });
    return {
      chart,
      svg: writeChartSvg(withHeading(chart), { theme, idPrefix: 'chart-', faces: 'embedded' }),
    };
  } finally {
    database.close();
  }
}
