import type { Param, ParamType, Route } from './route.ts';

// Constructors of route-table parameters, one per shape that occurs more than once.

const query = (name: string, type: ParamType, description: string): Param => ({
  name,
  in: 'query',
  required: false,
  type,
  description,
});

export const tickerPath: Param = {
  name: 'ticker',
  in: 'path',
  required: true,
  type: { kind: 'ticker' },
  description: 'Ticker, listed alias or zero-padded 10-digit CIK of the issuer; case-insensitive.',
  example: 'MSTR',
};

export const productPath: Param = {
  name: 'product',
  in: 'path',
  required: true,
  type: { kind: 'product' },
  description: 'Perpetual-contract product id or a listed alias; case-insensitive.',
  example: 'AI-PERP-INTX',
};

/** The same parameter with a value that shows what it takes. */
export const shown = (param: Param, example: string): Param => ({ ...param, example });

const dateQuery = (name: string, description: string, example: string): Param =>
  shown(query(name, { kind: 'date' }, description), example);

export const sourceDate = dateQuery(
  'source_date',
  'Slice of exactly this date; default the current slice.',
  '2026-02-07',
);
export const briefDate = dateQuery(
  'date',
  'Slice of exactly this date; default the current slice.',
  '2026-02-07',
);
export const period = dateQuery(
  'period',
  'Newest slice whose row has exactly this filing period.',
  '2025-09-30',
);
export const dateFrom = dateQuery(
  'source_date_from',
  'First source date of a range, inclusive.',
  '2025-11-01',
);
export const dateTo = dateQuery('source_date_to', 'Last source date of a range, inclusive.', '2026-02-07');
/** One date, or a range of them. */
export const dates: readonly Param[] = [sourceDate, dateFrom, dateTo];

export const tickerQuery = shown(
  query('ticker', { kind: 'ticker' }, 'Ticker, listed alias or zero-padded CIK.'),
  'MSTR',
);
export const cikQuery = shown(
  query('cik', { kind: 'cik' }, 'Central Index Key, with or without prefix and padding.'),
  '0001050446',
);
export const productQuery = shown(
  query('product', { kind: 'product' }, 'Product id or listed alias.'),
  'AI-PERP-INTX',
);
export const underlyingTicker = shown(
  query('underlying_ticker', { kind: 'ticker' }, 'Only contracts on this underlying.'),
  'MSTR',
);

export const bucketLength = query(
  'bucket_length',
  { kind: 'enum', values: ['15m', '1h', '1d'], default: '1d' },
  'Length of an observation bucket.',
);
export const mode = query(
  'mode',
  { kind: 'enum', values: ['compact', 'full'], default: 'compact' },
  'Stored form of a row.',
);

export const limit = (min: number, max: number, byDefault: number): Param =>
  query('limit', { kind: 'int', min, max, default: byDefault }, 'Rows of the page.');
export const offset = (max = 100_000): Param =>
  query('offset', { kind: 'int', min: 0, max, default: 0 }, 'Rows before the page.');
/** Which rows of a list are sent. */
export const page = (most: number, byDefault: number): Param[] => [limit(1, most, byDefault), offset()];
export const flag = (name: string, description: string, byDefault = false): Param =>
  query(name, { kind: 'boolean', default: byDefault }, description);
export const oneOf = (
  name: string,
  values: readonly string[],
  description: string,
  byDefault?: string,
): Param =>
  query(
    name,
    byDefault === undefined ? { kind: 'enum', values } : { kind: 'enum', values, default: byDefault },
    description,
  );
/** How tool calls are paid (I4.MCP.4). */
export const paymentMode = oneOf(
  'paymentMode',
  ['x402', 'internal'],
  'x402: pay per tools/call; internal: API key, not charged.',
  'x402',
);
/** One of a few whole numbers, as a member of a JSON body. */
export const choice = (name: string, values: readonly number[], description: string): Param =>
  query(name, { kind: 'choice', values }, description);
export const numberAtLeast = (name: string, min: number, max: number, description: string): Param =>
  query(name, { kind: 'number', min, max }, description);
export const text = (name: string, min: number, max: number, description: string, pattern?: string): Param =>
  query(
    name,
    pattern === undefined ? { kind: 'string', min, max } : { kind: 'string', min, max, pattern },
    description,
  );

/** The same parameter, required and with an example. */
export const required = (param: Param, example: string): Param => ({
  ...shown(param, example),
  required: true,
});
/** The same parameter as a member of the JSON body. */
export const inBody = (param: Param): Param => ({ ...param, in: 'body' });

/** Parameter that selects the slice of an answer: `source_date`, of briefs `date` (I4.15); null on a route without one. */
export function dateParameter({ params }: Pick<Route, 'params'>): 'source_date' | 'date' | null {
  for (const { name } of params) if (name === 'source_date' || name === 'date') return name;
  return null;
}
