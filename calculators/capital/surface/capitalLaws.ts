import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import type { Capital } from '../capital.ts';
import type { Claims, CoinFlow, Shares } from '../parts.ts';

/** The laws of a capital structure that a reader can check, evaluated on its figures: one sentence a broken one (M18.83). */
export function capitalViolations(capital: Capital): string[] {
  return [
    ...capital.claims.flatMap(claimViolations),
    ...shockViolations(capital.claims),
    ...capital.coinFlows.flows.flatMap(flowViolations),
    ...shareViolations(capital.shares),
  ];
}

function claimViolations({ lens, shock, pool, lines, commonResidual }: Claims): string[] {
  const name = `${lens} at ${shock}`;
  const paid = sumOf(
    lines.flatMap((line) => (line.paid === null || line.class === 'common' ? [] : [line.paid])),
  );
  const left = paid.plus(commonResidual);
  const bounds = lines.flatMap(({ class: of, recovery }) =>
    recovery === null || (recovery >= 0 && recovery <= 1) ? [] : [`${name}: ${of} recovers ${recovery}`],
  );
  // each line is rounded once, in its sixth decimal
  const most = pool.plus(new ExactDecimal(BigInt(lines.length + 1), 6));
  return left.compare(most) > 0 ? [...bounds, `${name}: ${left} is paid from ${pool}`] : bounds;
}

function shockViolations(claims: readonly Claims[]): string[] {
  return claims.flatMap(({ lens, shock, lines }) =>
    lines.flatMap((line) => {
      const deeper = claims.filter((other) => other.lens === lens && other.shock > shock);
      const more = deeper.find((other) => {
        const same = other.lines.find(({ class: of }) => of === line.class);
        return (same?.recovery ?? 0) > (line.recovery ?? 1);
      });
      return more === undefined
        ? []
        : [`${lens}: ${line.class} recovers more at ${more.shock} than at ${shock}`];
    }),
  );
}

function flowViolations({ asset, measure, end, opening, rows, closing, residual }: CoinFlow): string[] {
  const reached = opening.plus(sumOf(rows.map(({ amount }) => amount))).plus(residual);
  return reached.equals(closing) ? [] : [`${asset} ${measure} to ${end}: ${reached} is not ${closing}`];
}

function shareViolations({ outstanding, fullyDiluted }: Shares): string[] {
  if (outstanding.value === null || fullyDiluted.value === null) return [];
  return fullyDiluted.value.compare(outstanding.value) < 0
    ? [`${fullyDiluted.value} shares fully diluted, ${outstanding.value} outstanding`]
    : [];
}
