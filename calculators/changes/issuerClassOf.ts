import type { IssuerClass, IssuerType, PreIpoLikelihood } from '../../contract/enums.ts';
import type { Parameters } from '../parameters.ts';
import type { CompanyProfile } from './companyProfile.ts';

const cryptoOffice = '09 Crypto Assets';

/**
 * The class of a registrant by the first rule of M6.10 that holds. Where nothing filed decides, the class of its row in
 * the universe stands: coins of a foreign miner or of a bank are in no fact at hand.
 */
export function issuerClassOf(
  profile: CompanyProfile,
  o: {
    issuerType: IssuerType | null;
    preIpo: PreIpoLikelihood | null;
    parameters: Pick<Parameters, 'issuerClass'>;
  },
): IssuerClass | string {
  const { facts } = profile;
  if (o.issuerType === 'etf_trust') return 'crypto_trust_or_etf';
  if (profile.sic === '6770') return 'shell_or_spac';
  if (facts.safeguarding) return 'exchange_or_custodian';
  if (facts.mining) return 'miner';
  if ((profile.cryptoShareOfAssets ?? 0) >= o.parameters.issuerClass.treasuryShareOfAssets)
    return 'crypto_treasury';
  if (profile.ownerOrg === cryptoOffice) return 'crypto_financial';
  if (facts.crypto) return 'digital_asset_adjacent';
  if (o.preIpo === 'high') return 'pre_ipo';
  return profile.universe?.issuerClass ?? 'operating_other';
}

/** Classes whose business is coins; the others merely touch them. */
export const cryptoClasses: ReadonlySet<string> = new Set([
  'crypto_trust_or_etf',
  'exchange_or_custodian',
  'miner',
  'crypto_treasury',
  'crypto_financial',
]);
