import type { CoreTier, QualityFlag } from '../../data/contract/values/enums.ts';
import { daysBetween } from '../exact/civilDate.ts';
import type { Issuer } from '../filing/rows.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { coreTier, qualityFlag } from '../quality/qualityFlag.ts';
import { type Judgement, judgePosition } from './judgePosition.ts';
import type { IssuerPosition } from './positionIssuer.ts';

/** A position as trusted on the day of a slice: the part that depends on the filing's age. */
export type GradedPosition = IssuerPosition &
  Judgement & {
    /** Days from the period end to the slice's date (M0.13). */
    readonly ageDays: number;
    readonly quality: QualityFlag;
    readonly coreTier: CoreTier;
    /** M2.14 (`treasury_data_status` anomalous_assets). */
    readonly isAnomalous: boolean;
  };

/** Issuers that are vehicles for coins, not companies that hold them: untiered (M3.10) and off the board (M5.16). */
export const vehicleTypes = [
  'etf_trust',
  'fund_vehicle',
  'product',
] as const satisfies readonly Issuer['issuerType'][];

export function isVehicle({ issuerType }: Issuer): boolean {
  return (vehicleTypes as readonly string[]).includes(issuerType);
}

/** Grades a position on the slice's date (M1.40–M1.43, M2.14, M3.3, M3.10). */
export function gradePosition(
  position: IssuerPosition,
  { sourceDate, parameters }: { readonly sourceDate: string; readonly parameters: Parameters },
): GradedPosition {
  const { issuer, filing, debt, holdings, treasury } = position;
  const ageDays = daysBetween(filing.period, sourceDate);
  const quality = qualityFlag(
    {
      debt,
      holdings,
      ageDays,
      calculation: position.calculation.result,
      isAnomalous: treasury.isAnomalous,
      hasBlockedConcept: position.hasBlockedConcept,
      isFilingDamaged: position.isFilingDamaged,
      isPlaceholder: filing.accessionStatus === 'placeholder',
      equalsCustomerCoins: treasury.equalsCustomerCoins,
      hasEquity: position.balance.equity !== null,
    },
    parameters,
  );
  const isAnomalous = treasury.isAnomalous || (quality === 'Low' && treasury.hasUnsettledUnits);
  return {
    ...position,
    ageDays,
    quality,
    isAnomalous,
    coreTier: coreTier({ debt, holdings, quality, parameters }),
    ...judgePosition(
      {
        ...position,
        isBarred:
          isVehicle(issuer) ||
          (quality === 'Low' && isAnomalous) ||
          ageDays > parameters.filingAgeDays.unclassified,
      },
      parameters,
    ),
  };
}
