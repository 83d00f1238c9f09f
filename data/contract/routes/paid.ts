import type { StoredAnswer } from './answer.ts';
import type { Param, Route } from './route.ts';

type PaidRow = Pick<
  Route,
  'id' | 'path' | 'operationId' | 'scope' | 'status' | 'schemaId' | 'description' | 'examplePath'
> & {
  readonly micro: number;
  readonly params: readonly Param[];
  readonly mirroredBy?: string;
  readonly answer?: StoredAnswer;
} & Partial<
    Pick<
      Route,
      | 'deprecation'
      | 'note'
      | 'method'
      | 'priceChange'
      | 'priceBand'
      | 'requireOneOf'
      | 'exclusive'
      | 'statusClass'
    >
  >;

/** Fills in what all `/v1` routes share (I4.R blocks): A-X402, CH-PAID, CC-PAID. */
export function paid(row: PaidRow): Route {
  return {
    id: row.id,
    method: row.method ?? 'GET',
    path: row.path,
    operationId: row.operationId,
    family: 'v1',
    auth: 'A-X402',
    priceMicroUsd: row.micro,
    ...(row.priceChange === undefined ? {} : { priceChange: row.priceChange }),
    ...(row.deprecation === undefined ? {} : { deprecation: row.deprecation }),
    ...(row.priceBand === undefined ? {} : { priceBand: row.priceBand }),
    mirrorOf: null,
    mirroredBy: row.mirroredBy ?? null,
    cacheClass: 'CC-PAID',
    keyScope: 'rest',
    statusClass: row.statusClass ?? (row.scope === 'universe' ? 'ST-U' : 'ST-I'),
    scope: row.scope,
    status: row.status,
    params: row.params,
    ...(row.requireOneOf === undefined ? {} : { requireOneOf: row.requireOneOf }),
    ...(row.exclusive === undefined ? {} : { exclusive: row.exclusive }),
    schemaId: row.schemaId,
    answer: row.answer ?? null,
    description: row.description,
    ...(row.note === undefined ? {} : { note: row.note }),
    examplePath: row.examplePath,
  };
}
