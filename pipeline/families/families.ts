import { alphaAudit } from './alphaAudit.ts';
import { alphaBoard } from './alphaBoard.ts';
import { alphaSignals } from './alphaSignals.ts';
import { companies } from './companies.ts';
import { companyFundamentals } from './companyFundamentals.ts';
import { companyReports } from './companyReports.ts';
import { covenantStress } from './covenantStress.ts';
import { dailyBrief } from './dailyBrief.ts';
import { dailyChanges } from './dailyChanges.ts';
import { etfReads } from './etfReads.ts';
import type { Family } from './family.ts';
import { histories } from './histories.ts';
import { issuerFieldMaps } from './issuerFieldMaps.ts';
import { landing } from './landing.ts';
import { marketFieldMaps } from './marketFieldMaps.ts';
import { marketHistories } from './marketHistories.ts';
import { modelCard } from './modelCard.ts';
import { naturalBriefs } from './naturalBriefs.ts';
import { peerRankings } from './peerRankings.ts';
import { perpRankings } from './perpRankings.ts';
import { readiness } from './readiness.ts';
import { registrants } from './registrants.ts';
import { riskDistribution } from './riskDistribution.ts';
import type { StreamedFamily } from './streamedFamily.ts';
import { topStressed } from './topStressed.ts';

/** Every family of a release that is held together before it is written. */
export const families: readonly Family[] = [
  covenantStress,
  companyFundamentals,
  alphaSignals,
  alphaBoard,
  alphaAudit,
  peerRankings,
  topStressed,
  readiness,
  riskDistribution,
  landing,
  dailyChanges,
  issuerFieldMaps,
  // made from the artifacts above
  companyReports,
  companies,
  modelCard,
  registrants,
  perpRankings,
  etfReads,
  marketFieldMaps,
  naturalBriefs,
  dailyBrief,
];

/** Every family that is written as the release is published. */
export const streamedFamilies: readonly StreamedFamily[] = [histories, marketHistories];
