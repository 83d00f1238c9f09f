import { advisoryLeg, capitalLeg, type LegName } from '../../billing/reportDepth.ts';
import { alphaSignals } from '../issuer/alphaSignals.ts';
import { capital } from '../issuer/capital.ts';
import { companyFundamentals } from '../issuer/companyFundamentals.ts';
import { covenantStress } from '../issuer/covenantStress.ts';
import { issuerFieldMap, mostFieldPoints } from '../issuer/issuerFieldMap.ts';
import { peerRanking } from '../issuer/peerRanking.ts';
import type { AnyHistory } from '../stored.ts';
import { readiness } from '../universe/readiness.ts';

/** How deep a report shows its field map. */
export const outputModes = ['compact', 'full'] as const;
export type OutputMode = (typeof outputModes)[number];

/** What the key of a leg's artifact is built from; `variant` selects the optional parts of fundamentals. */
export type LegParts = { readonly slice: string; readonly cik: string; readonly variant: string };

/** One leg of a report: the answer of a route of its own, from the same artifacts; `capital` has no route (I2.68). */
export type ReportLeg = {
  readonly name: LegName;
  readonly key: (parts: LegParts) => string;
  /** Rows of a history that are a member of the answer, the newest by output mode; null where the artifact is all of it. */
  readonly newest: {
    readonly history: AnyHistory;
    readonly member: string;
    readonly most: Readonly<Record<OutputMode, number>>;
  } | null;
  /** A list of a member that is empty in compact reports. */
  readonly emptied: { readonly member: string; readonly list: string } | null;
};

const whole = { newest: null, emptied: null } as const;

/** The seven legs in the order of the report. */
export const reportLegs: readonly ReportLeg[] = [
  { ...whole, name: 'readiness', key: readiness.stored.object.key },
  { ...whole, name: 'company_fundamentals', key: companyFundamentals.stored.object.key },
  { ...whole, name: 'alpha_signals', key: alphaSignals.stored.object.key },
  { ...whole, name: 'peer_ranking', key: peerRanking.stored.object.key },
  { ...whole, name: 'covenant_stress', key: covenantStress.stored.object.key },
  {
    name: advisoryLeg,
    key: issuerFieldMap.stored.object.key,
    newest: {
      history: issuerFieldMap.stored.points,
      member: 'points',
      most: { compact: 30, full: mostFieldPoints },
    },
    emptied: { member: 'lineage', list: 'raw_paths' },
  },
  { ...whole, name: capitalLeg, key: capital.stored.object.key },
];
