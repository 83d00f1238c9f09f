import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { StatedUnits } from '../currentReports/currentUnits.ts';
import type { IssuerPosition } from '../position/positionIssuer.ts';
import type { ResolutionTrail, TrailTotal } from './resolutionTrail.ts';
import { unitsTrail } from './statementTrail.ts';

/** The trail of one row: the ratio, its two totals, and the filed facts behind every root (M1.28, M2.3). */
export function issuerTrail(
  position: IssuerPosition,
  stress: CovenantStress,
  units: StatedUnits | null = null,
): ResolutionTrail {
  const { issuer, filing } = position;
  const leftOut = position.facilities.leftOut.map(({ name, reason }) => ({ name, reason }));
  return {
    cik: issuer.cik,
    accession: filing.accession,
    form: filing.form,
    period: filing.period,
    ratio: {
      kind: 'ratio',
      name: 'stress_50pct',
      value: stress.stress_50pct,
      formula: 'total_long_term_debt / (total_crypto_fair_value * (1 - 0.50))',
      children: [debtTotal(position), cryptoTotal(position)],
    },
    ...(leftOut.length === 0 ? {} : { facilitiesLeftOut: leftOut }),
    ...(units === null ? {} : { statedUnits: unitsTrail(units) }),
  };
}

function debtTotal({ debt, calculation }: IssuerPosition): TrailTotal {
  return {
    kind: 'total',
    side: 'debt',
    value: debt.total,
    status: debt.coverage,
    method: debt.method,
    dataSource: debt.dataSource,
    parts: { current: debt.current, noncurrent: debt.noncurrent },
    rungs: debt.rungs,
    checks: [...debt.checks, ...calculation.checks.filter(({ check }) => check.endsWith(':Liabilities'))],
    children: debt.roots,
    ...(debt.face === null ? {} : { face: debt.face }),
  };
}

function cryptoTotal({ holdings, units, calculation }: IssuerPosition): TrailTotal {
  const taken = holdings.rungs.findLast((rung) => rung.taken)?.rung ?? null;
  const rooted = holdings.extensionRoots.length > 0 || holdings.rootedConcepts.length > 1;
  const dataSource = rooted ? 'linkbase_rollup' : 'linkbase_rooted_facts';
  return {
    kind: 'total',
    side: 'crypto',
    value: holdings.amount,
    status: units.basis,
    method: taken,
    dataSource: holdings.walkedSide === 'linkbase' ? dataSource : 'direct_facts_fallback',
    parts: {},
    rungs: holdings.rungs,
    checks: calculation.checks.filter(({ check }) => check.endsWith(':Assets')),
    children: holdings.roots,
  };
}
