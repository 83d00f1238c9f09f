import { z } from 'zod';
import type { StatementKind } from '../../calculators/currentReports/statement.ts';
import type { ResolutionTrail, TrailSource } from '../../calculators/trail/resolutionTrail.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

const statementKinds = [
  'holdings',
  'purchase',
  'sale',
  'production',
  'pledge',
  'release',
  'cash',
  'atm',
  'notes_issued',
  'debt_repaid',
  'redemption_notice',
] as const satisfies readonly StatementKind[];
const amount = z.instanceof(ExactDecimal);
const figure = amount.transform((value) => value.toNumber());
const weight = figure.pipe(z.union([z.literal(1), z.literal(-1)]));
const side = z.enum(['debt', 'crypto']);

const fact = z.object({
  kind: z.literal('fact'),
  concept: z.string(),
  value: amount.nullable(),
  weight,
  unit: z.string(),
  start: z.string().nullable(),
  end: z.string(),
  context: z.string().nullable(),
  dimensions: z.array(z.object({ axis: z.string(), member: z.string(), typed: z.boolean() })),
  decimals: z.union([figure, z.literal('INF')]).nullable(),
  accession: z.string(),
  origin: z.enum(['instance', 'companyfacts']),
});
const price = z.object({
  kind: z.literal('price'),
  asset: z.string(),
  date: z.string(),
  close: figure,
  source: z.string(),
});
const source: z.ZodType<TrailSource> = z.lazy(() => z.discriminatedUnion('kind', [fact, price, sum]));
const sum = z.object({
  kind: z.literal('sum'),
  concept: z.string(),
  value: amount,
  weight,
  role: z.string(),
  children: z.array(source),
});
const root = z.object({
  kind: z.literal('root'),
  bucket: z.enum(['C', 'N', 'T']),
  concept: z.string(),
  value: amount,
  weight,
  parent: z.string().nullable(),
  role: z.string().nullable(),
  rung: z.string(),
  reason: z.string(),
  children: z.array(source),
});
const face = z.object({
  anchor: z.string(),
  target: amount,
  isByEquity: z.boolean(),
  sum: amount,
  lines: z.array(z.object({ concept: z.string(), value: amount })),
});
const total = z.object({
  kind: z.literal('total'),
  side,
  value: amount,
  status: z.string(),
  method: z.string().nullable(),
  dataSource: z.string(),
  parts: z.record(z.string(), amount),
  rungs: z.array(z.object({ rung: z.string(), taken: z.boolean(), reason: z.string() })),
  checks: z.array(
    z.object({
      check: z.string(),
      result: z.enum(['pass', 'fail', 'unbound', 'stopped']),
      detail: z.string(),
    }),
  ),
  children: z.array(root),
  face: z.exactOptional(face),
});

const statement = z.object({
  kind: z.enum(statementKinds),
  asset: z.string(),
  units: amount.nullable(),
  usd: amount.nullable(),
  from: z.string().nullable(),
  asOf: z.string().nullable(),
  confidence: z.enum(['High', 'Medium', 'Low']),
  accession: z.string(),
  form: z.string(),
  filed: z.string(),
  document: z.string(),
  block: figure,
  row: figure.nullable(),
  column: figure.nullable(),
  quote: z.string(),
});
const statedUnits = z.object({
  asset: z.string(),
  units: amount,
  asOf: z.string(),
  basis: z.enum(['stated', 'stated_rolled']),
  stock: statement,
  link: z
    .object({
      verdict: z.enum(['proven', 'rounded', 'approximate', 'gap', 'contradiction']),
      before: statement,
      unexplained: amount,
    })
    .nullable(),
  scope: z.object({ units: amount.nullable(), statement: statement.nullable() }),
  flows: z.array(statement),
  debtEvents: z.array(statement),
});

/** A trail as the warehouse keeps it, read with {@link parseExactJson}. */
export const trailSchema: z.ZodType<ResolutionTrail> = z.object({
  cik: z.string(),
  accession: z.string(),
  form: z.string(),
  period: z.string(),
  ratio: z.object({
    kind: z.literal('ratio'),
    name: z.literal('stress_50pct'),
    value: figure,
    formula: z.string(),
    children: z.tuple([total, total]),
  }),
  facilitiesLeftOut: z.exactOptional(z.array(z.object({ name: z.string(), reason: z.string() }))),
  statedUnits: z.exactOptional(statedUnits),
});

/** Reads JSON with every number as an exact decimal, so that no filed digit is lost (M10.8). */
export function parseExactJson(text: string): unknown {
  // the third argument of a reviver carries the number as written (ECMAScript, JSON.parse source text access)
  const revive = (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? ExactDecimal.parse(context?.source ?? String(value)) : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** Numbers a double holds as such, so that canon-1 prints them as it printed them first. */
export function plain(value: unknown): unknown {
  if (value instanceof ExactDecimal) {
    const double = value.toNumber();
    const holds = Number.isFinite(double) && ExactDecimal.fromNumber(double).equals(value);
    return holds ? double : value;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
