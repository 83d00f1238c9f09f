import * as e from './enums.ts';

/** The shared lists of I2.1 by the names the interface gives them. */
export const publishedEnums = {
  CoreTier: e.coreTiers,
  Level3: e.chargeLevels,
  Discharge: e.dischargeRisks,
  Resonance: e.resonances,
  RiskTier: e.riskTiers,
  QualityFlag: e.qualityFlags,
  DataSource: e.dataSources,
  DebtCoverage: e.debtCoverages,
  MarketRegime: e.marketRegimes,
  Velocity: e.velocities,
  TreasuryStrength: e.treasuryStrengths,
  DominantAsset: e.dominantAssets,
  TowerStatus: e.towerStatuses,
  IssuerType: e.issuerTypes,
  NormQuality: e.normQualities,
  ResearchPosture: e.researchPostures,
  LevelStatus: e.levelStatuses,
  Style: e.briefStyles,
} as const satisfies Record<string, readonly string[]>;
