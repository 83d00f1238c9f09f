/** The sections of each kind of brief in their order; the heading of each stands there exactly once (I2.42). */
export const briefGrammar = {
  morning: [
    'Data Slice and Readiness',
    'Filing Changes Since Last Slice',
    'Risk Tier Board',
    'Most Stressed Issuers',
    'Alpha Opportunity Board',
    'Dominant Pattern',
    'How to Read the Scores',
    'Limits of the Evidence',
    'Next Checks',
  ],
  top_stressed: [
    'Data Slice and Readiness',
    'Stress Ranking',
    'Shared Drivers',
    'Limits of the Evidence',
    'Next Checks',
  ],
  covenant: [
    'Issuer Snapshot',
    'Covenant Stress Readings',
    'Live-Price Overlay',
    'Filing Evidence',
    'Limits of the Evidence',
    'Next Checks',
  ],
} as const;

export type BriefKind = keyof typeof briefGrammar;
