import type { RefusedStatement, Statement } from './statement.ts';

/** The statements of one filing: twins joined, contradictions taken out (M17.18). */
export function joinFiling(statements: readonly Statement[]): {
  statements: readonly Statement[];
  refused: readonly RefusedStatement[];
} {
  const isRead = statements.some(({ kind, usd }) => kind === 'notes_issued' && usd !== null);
  const counted = statements.filter(({ kind, usd }) => kind !== 'notes_issued' || usd !== null || !isRead);
  const dated = [...Map.groupBy(counted, numberOf).values()].flatMap((same) => {
    const joined = joinAll(same);
    return joined.filter((one) => !isEcho(one, joined));
  });
  const contradicted = new Set([...Map.groupBy(dated, subjectOf).values()].flatMap(contradictedOf));
  return {
    statements: dated.filter((one) => !contradicted.has(one)),
    refused: dated
      .filter((one) => contradicted.has(one))
      .map(({ asset, units, place, quote, source }) => ({
        reason: 'exhibit_contradicts_body',
        ...{ asset, units, place, quote, source },
      })),
  };
}

function numberOf({ kind, asset, units, usd }: Statement): string {
  return `${kind} ${asset} ${units ?? `$${usd}`}`;
}

function joinAll(same: readonly Statement[]): Statement[] {
  const joined: Statement[] = [];
  for (const statement of same) {
    const at = joined.findIndex((other) => areTwins(other, statement));
    const twin = joined[at];
    if (twin === undefined) joined.push(statement);
    else joined[at] = joinTwins(twin, statement);
  }
  return joined;
}

function areTwins(a: Statement, b: Statement): boolean {
  if (a.kind !== b.kind || a.asset !== b.asset || !sameNumber(a, b)) return false;
  const sameDay =
    a.asOf === b.asOf && (a.periodFrom === b.periodFrom || a.periodFrom === null || b.periodFrom === null);
  // tickers differ where one document names the security and the other does not
  return sameDay && (a.security === b.security || a.security === null || b.security === null);
}

function sameNumber(a: Statement, b: Statement): boolean {
  if (a.units !== null && b.units !== null) return a.units.equals(b.units);
  return a.units === null && b.units === null && a.usd !== null && b.usd !== null && a.usd.equals(b.usd);
}

/** The one with explicit days, amount and price stays, and what it lacks comes from the other. */
function joinTwins(a: Statement, b: Statement): Statement {
  const [kept, other] = weight(b) > weight(a) ? [b, a] : [a, b];
  return {
    ...kept,
    periodFrom: kept.periodFrom ?? other.periodFrom,
    usd: kept.usd ?? other.usd,
    avgPrice: kept.avgPrice ?? other.avgPrice,
    netProceeds: kept.netProceeds ?? other.netProceeds,
    capacityLeft: kept.capacityLeft ?? other.capacityLeft,
    security: kept.security ?? other.security,
    alsoAt: [...kept.alsoAt, other.place, ...other.alsoAt],
  };
}

function weight({ fromTable, confidence, usd, avgPrice, periodFrom }: Statement): number {
  const sure = confidence === 'High' ? 8 : confidence === 'Medium' ? 4 : 0;
  return (
    sure +
    (periodFrom === null ? 0 : 2) +
    (usd === null ? 0 : 1) +
    (avgPrice === null ? 0 : 1) +
    (fromTable ? 1 : 0)
  );
}

const inferred: ReadonlySet<string> = new Set(['release', 'announced', 'heading', 'none', 'month_end']);

/** A mention whose day is inferred, of a number that another statement of the kind dates. */
function isEcho(one: Statement, all: readonly Statement[]): boolean {
  if (!inferred.has(one.dateBasis) || one.fromTable) return false;
  return all.some(
    (other) =>
      other !== one &&
      other.kind === one.kind &&
      other.asset === one.asset &&
      sameNumber(other, one) &&
      !inferred.has(other.dateBasis),
  );
}

function subjectOf({ kind, asset, periodFrom, asOf }: Statement): string {
  return `${kind} ${asset} ${periodFrom} ${asOf}`;
}

/** Of unequal stocks of one coin and day, or unequal productions of one period, those without a day of their own; else all. */
function contradictedOf(same: readonly Statement[]): readonly Statement[] {
  const [{ kind } = { kind: 'cash' }] = same;
  if (kind !== 'holdings' && kind !== 'production') return [];
  const explicit = same.filter(({ dateBasis }) => !inferred.has(dateBasis));
  const numbers = (of: readonly Statement[]) => new Set(of.map(numberOf)).size;
  if (numbers(same) <= 1) return [];
  return numbers(explicit) === 1 ? same.filter(({ dateBasis }) => inferred.has(dateBasis)) : same;
}
