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

/** What a report is asked to hold beside its legs. */
export type ReportChoice = {
  readonly outputMode: OutputMode;
  readonly segments: boolean;
  readonly relatedParty: boolean;
};

const partSuffixes = { segments: '+seg', relatedParty: '+rpt' } as const;

/** Variant of an artifact with these optional parts: of fundamentals, and behind the output mode of a report. */
export function partsVariant({ segments, relatedParty }: Omit<ReportChoice, 'outputMode'>): string {
  return `${segments ? partSuffixes.segments : ''}${relatedParty ? partSuffixes.relatedParty : ''}`;
}

/** Last part of the key of a stored report (I4.R29.2). */
export function reportVariant(choice: ReportChoice): string {
  return `${choice.outputMode}${partsVariant(choice)}`;
}

/**
 * Variants that may answer a choice, the one with most parts first: a report is stored once for parts that the filing
 * does not have, so the first that is stored holds all of them that there are (I4.R29.2b).
 */
export function reportVariants(choice: ReportChoice): readonly string[] {
  const held = [
    choice,
    { ...choice, relatedParty: false },
    { ...choice, segments: false },
    { ...choice, segments: false, relatedParty: false },
  ];
  return [...new Set(held.map(reportVariant))];
}
