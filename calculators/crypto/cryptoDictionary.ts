/** A changed table has a new version, whose hash is recorded (M13.2). */
export const coinDictionaryVersion = 'coins-1.1';

/** Whole-entity USD concepts that state coins (M2.1), in the order of the ladder of M2.4. */
export const cryptoDictionary = [
  'us-gaap:CryptoAssetFairValueCurrent',
  'us-gaap:CryptoAssetFairValueNoncurrent',
  'us-gaap:CryptoAssetFairValueUnrestricted',
  'us-gaap:CryptoAssetFairValueRestricted',
  'us-gaap:CryptoAssetFairValue',
  'us-gaap:CryptoAssetCost',
] as const;

/** Where an issuer without `CryptoAsset*` facts may carry its coins (M2.6). */
export const intangibleCoins = 'us-gaap:IndefiniteLivedIntangibleAssetsExcludingGoodwill';

/** Customer coins held by exchanges and custodians: in no total (M2.1); read only to tell an anomaly (M2.14). */
export const customerCoins = [
  'srt:PlatformOperatorCryptoAssetHeldForUser',
  'srt:SafeguardingAssetPlatformOperatorCryptoAsset',
] as const;
