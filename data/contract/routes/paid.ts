import type { Route } from './route.ts';

type Stated = 'id' | 'path' | 'operationId' | 'scope' | 'params' | 'schemaId' | 'answer' | 'description';
/** Members that most rows leave to what is usual. */
type Usual =
  | 'method'
  | 'status'
  | 'mirroredBy'
  | 'statusClass'
  | 'examplePath'
  | 'deprecation'
  | 'note'
  | 'priceChange'
  | 'priceBand'
  | 'requireOneOf'
  | 'exclusive';
type PaidRow = Pick<Route, Stated> & Partial<Pick<Route, Usual>> & { readonly micro: number };

/** Fills in what all `/v1` routes share (I4.R blocks): A-X402, CH-PAID, CC-PAID. */
export function paid({ micro, ...row }: PaidRow): Route {
  return {
    method: 'GET',
    family: 'v1',
    auth: 'A-X402',
    priceMicroUsd: micro,
    mirrorOf: null,
    mirroredBy: null,
    cacheClass: 'CC-PAID',
    keyScope: 'rest',
    statusClass: row.scope === 'universe' ? 'ST-U' : 'ST-I',
    status: 'live',
    examplePath: row.path,
    ...row,
  };
}
