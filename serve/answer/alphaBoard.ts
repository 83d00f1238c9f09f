import * as stores from '../../contract/rowStores.ts';
import { assembleObject } from './assembleObject.ts';
import { cachedView } from './cachedView.ts';
import type { FindInput, Found } from './findInput.ts';
import { cutPage } from './page.ts';
import { bytesOfRows, type Condition, metaOf, selectRows } from './rowView.ts';
import { sourcesOf, viewServable } from './servableOf.ts';
import { boardRelease, storedRows } from './storedRows.ts';

type Board = typeof stores.alphaBoard;

const listedTypes = ['operating_company', 'foreign_issuer'];
const fundTypes = ['etf_trust', 'fund_vehicle', 'product'];

/** R06: rows of the board that pass every filter, in board order (I4.R06.3, I4.R06.4, I2.14). */
export async function findAlphaBoard(input: FindInput): Promise<Found> {
  const release = await boardRelease(input);
  return cachedView(input, { release }, async (view) => {
    const rows = await storedRows(input, { release, key: stores.alphaBoard.key(release.sourceDate) });
    const { filters, conditions } = boardFilters(input);
    const matched = selectRows<Board>(rows, [
      // no row with a failed gate other than the issuer type is on any board (I4.R06.3)
      ['failed_gate_besides_type', (gate) => gate === null],
      ...conditions,
    ]);
    const { items, limit, offset } = cutPage(matched, input.params);
    const { market_regime, tower_status, tower_coherence } = metaOf(stores.alphaBoard, rows);
    const open = assembleObject(
      new Map([
        ['source_date', { made: release.sourceDate }],
        ['market_regime', { made: market_regime }],
        ['tower_status', { made: tower_status }],
        ['tower_coherence', { made: tower_coherence }],
        ['opportunities', { rows: bytesOfRows(rows, items) }],
        ['meta', { made: { total: matched.length, limit, offset, count: items.length, filters } }],
      ]),
    );
    return viewServable({ route: input.route, release, sources: sourcesOf(rows), open, view, ticker: null });
  });
}

function boardFilters({ params }: FindInput) {
  const filters: Record<string, string | boolean> = {};
  const conditions: Condition<Board>[] = [];
  for (const [name, column] of [
    ['risk_tier', 'risk_tier'],
    ['debt_coverage_status', 'debt_coverage_status'],
    ['quality_flag', 'quality'],
  ] as const) {
    const wanted = params.values.get(name);
    if (typeof wanted !== 'string') continue;
    filters[name] = wanted;
    conditions.push([column, (value) => value === wanted]);
  }
  const type = params.values.get('issuer_type');
  const withFunds = params.values.get('include_funds') === true;
  if (typeof type === 'string') filters['issuer_type'] = type;
  if (withFunds) filters['include_funds'] = true;
  if (type !== 'all') {
    const wanted =
      typeof type === 'string' ? [type] : withFunds ? [...listedTypes, ...fundTypes] : listedTypes;
    conditions.push(['issuer_type', (value) => wanted.some((one) => one === value)]);
  }
  return { filters, conditions };
}
