import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Issuer } from '../filing/rows.ts';
import { flowConcepts } from '../fundamentals/conceptPrecedence.ts';
import { assetsConcepts, liabilitiesConcepts } from '../network/conceptNames.ts';
import { descendantsOf } from '../network/networkRoots.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type DebtInputs, type DebtResolution, unprovenTotal } from './debtResolution.ts';
import { faceSides, linkbaseSide } from './liabilitiesSide.ts';
import { closesSide, sideResiduals } from './sideResiduals.ts';

/** SIC codes of banks, lenders and insurers; 6199 is no sign, coin treasuries carry it (M1.47). */
const ranges = [
  [6020, 6099],
  [6111, 6163],
  [6311, 6399],
] as const;

/** True for a bank, lender or insurer: by its SIC code, by what it owes depositors or pays them (M1.47). */
export function isFinancialInstitution({ sic }: Pick<Issuer, 'sic'>, inputs: DebtInputs): boolean {
  const code = sic === null ? Number.NaN : Number(sic);
  if (ranges.some(([from, to]) => code >= from && code <= to)) return true;
  return owesDepositors(inputs) || paysDepositors(inputs.sheet, inputs.parameters);
}

/**
 * Deposits that are a line of the liabilities side and a good part of it. A note may state deposits that were paid, so
 * where the side adds up without them they say nothing, and where no side was read they have to be larger.
 */
function owesDepositors(inputs: DebtInputs): boolean {
  const { sheet, parameters } = inputs;
  const deposits = sheet.positive('us-gaap:Deposits');
  if (deposits === null) return false;
  const { ofLiabilities, unread } = parameters.bankDeposits;
  const reading = depositsLine(inputs);
  if (reading === 'not a line') return false;
  const whole = sheet.firstAmount([...liabilitiesConcepts, ...assetsConcepts]);
  return whole === null || deposits.compare(part(whole, reading === 'line' ? ofLiabilities : unread)) >= 0;
}

function depositsLine(inputs: DebtInputs): 'line' | 'not a line' | 'not read' {
  const linkbase = linkbaseSide(inputs);
  const face = faceSides(inputs.face, inputs);
  const sides = [...('reason' in linkbase ? [] : [linkbase]), ...('reason' in face ? [] : face)];
  if (sides.some(({ network, start }) => descendantsOf(network, [start]).has('us-gaap:Deposits')))
    return 'line';
  const closes = sides.some((side) => {
    if (side.source === 'face_order') return true;
    const { start } = side;
    return closesSide(sideResiduals(side, { start, parents: [], parameters: inputs.parameters }), start);
  });
  return closes ? 'not a line' : 'not read';
}

/** Interest on deposits above a small part of the revenue of the same period, or without any revenue to compare it with. */
function paysDepositors({ facts, period }: FactSheet, { bankDeposits }: Parameters): boolean {
  const flows = facts.filter(({ taxonomy, end }) => taxonomy === 'us-gaap' && end === period);
  const paid = flows.filter(({ concept, value }) => concept === 'InterestExpenseDeposits' && value.sign > 0);
  return paid.some(({ start, value }) => {
    const revenue = flowConcepts.revenue
      .map((name) => flows.find((flow) => `us-gaap:${flow.concept}` === name && flow.start === start))
      .find((flow) => flow !== undefined);
    return revenue === undefined || value.compare(part(revenue.value, bankDeposits.interestOfRevenue)) > 0;
  });
}

function part(whole: ExactDecimal, share: number): ExactDecimal {
  return whole.times(ExactDecimal.fromNumber(share));
}

/** Deposits are such an issuer's business, so that what its lines show as debt is a lower bound (M1.47). */
export function institutionDebt(debt: DebtResolution): DebtResolution {
  const reason = 'deposits are its business, so its debt lines are a lower bound of what it owes';
  const unproven = unprovenTotal(debt, {
    note: 'financial_institution',
    check: { check: 'M1.47', result: 'fail', detail: reason },
  });
  return { ...unproven, rungs: [{ rung: 'financial_institution', taken: true, reason }, ...debt.rungs] };
}
