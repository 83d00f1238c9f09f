import type { Figure } from '../figure.ts';

/** What a share holds (M18.48), at the coins of one basis. */
export type Nav = {
  readonly basis: 'filed' | 'live';
  readonly coinsPerShare: readonly {
    readonly asset: string;
    readonly units: Figure;
    readonly perShare: Figure;
    readonly perSharePrefunded: Figure;
    readonly perShareDiluted: Figure;
  }[];
  readonly gross: Figure;
  readonly netOfDebt: Figure;
  readonly netOfClaims: Figure;
  readonly perShare: Figure;
  readonly close: Figure;
  readonly closeDate: string | null;
  readonly countDate: string | null;
  readonly mnavGross: Figure;
  readonly mnavEnterprise: Figure;
  readonly mnavNet: Figure;
  readonly mnavDiluted: Figure;
  readonly digitalAssetShare: Figure;
  readonly isAboveIndexThreshold: boolean | null;
  readonly notes: readonly string[];
};
