import type { Family, StreamedFamily } from './family.ts';
import { capital } from './issuer/capital.ts';
import { companyFundamentals } from './issuer/companyFundamentals.ts';
import { covenantStress, histories, issuerFieldMaps, peerRankings } from './issuer/issuerStanding.ts';
import { etfReads } from './market/etfReads.ts';
import { marketFieldMaps, marketHistories, perpRankings } from './market/perpetuals.ts';
import { companyReports } from './reports/companyReports.ts';
import { dailyBrief } from './reports/dailyBrief.ts';
import { issuerPages } from './reports/issuerPages.ts';
import { modelCard } from './reports/modelCard.ts';
import { naturalBriefs } from './reports/naturalBriefs.ts';
import { alphaAudit, alphaBoard, alphaSignals } from './universe/alphaBoard.ts';
import { companies, registrants } from './universe/companies.ts';
import { readiness, riskDistribution, topStressed } from './universe/covenantCounts.ts';
import { dailyChanges } from './universe/dailyChanges.ts';
import { landing } from './universe/landing.ts';

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
  capital,
  // made from the artifacts above
  companyReports,
  issuerPages,
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
