import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { Statement } from './statement.ts';

/** Filed debt with the closings and repayments reported since (M17.26). */
export type DebtSince = {
  readonly closed: ExactDecimal;
  readonly repaid: ExactDecimal;
  /** D + closed − repaid; never below zero, as `low`: what was repaid may never have been in D. */
  readonly debt: ExactDecimal;
  /** D − repaid. */
  readonly low: ExactDecimal;
  /** D + closed. */
  readonly high: ExactDecimal;
  /** True where an event of the time has no amount: live figures then stay on filed units. */
  readonly isUnread: boolean;
  readonly events: readonly Statement[];
};

/**
 * Debt on a day: events after the period end, by the day of the event, each once however many filings tell it (M17.26).
 *
 * @param statements of one issuer, all accepted by `day`
 */
export function debtSince({
  statements,
  filedDebt,
  periodEnd,
  day,
}: {
  statements: readonly Statement[];
  filedDebt: ExactDecimal;
  periodEnd: string;
  day: string;
}): DebtSince {
  const told = new Map<string, Statement>();
  for (const one of statements) {
    if (one.kind !== 'notes_issued' && one.kind !== 'debt_repaid') continue;
    if (one.asOf === null || one.asOf <= periodEnd || one.asOf > day) continue;
    const key = `${one.kind} ${one.asOf} ${one.usd ?? 'unread'}`;
    if (!told.has(key)) told.set(key, one);
  }
  const events = [...told.values()];
  const total = (kind: Statement['kind']) =>
    sumOf(events.flatMap((one) => (one.kind === kind && one.usd !== null ? [one.usd] : [])));
  const [closed, repaid] = [total('notes_issued'), total('debt_repaid')];
  return {
    closed,
    repaid,
    debt: notBelowZero(filedDebt.plus(closed).minus(repaid)),
    low: notBelowZero(filedDebt.minus(repaid)),
    high: filedDebt.plus(closed),
    isUnread: events.some(({ usd }) => usd === null),
    events,
  };
}

function notBelowZero(amount: ExactDecimal): ExactDecimal {
  return amount.sign < 0 ? ExactDecimal.zero : amount;
}
