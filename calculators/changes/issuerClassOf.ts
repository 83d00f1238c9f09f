import type { IssuerClass, IssuerType, PreIpoLikelihood } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CompanyProfile } from './companyProfile.ts';

const cryptoOffice = '09 Crypto Assets';

/**
 * The class of a registrant: the curated one of its row in the universe, else the first rule of M6.10 that holds. Facts
 * at hand see a part only: KULR, BTBT and GAME are crypto treasuries although other business fills their filings.
 */
export function issuerClassOf(
  profile: CompanyProfile,
  {
    issuerType,
    preIpo,
    parameters,
  }: {
    issuerType: IssuerType | null;
    preIpo: PreIpoLikelihood | null;
    parameters: Pick<Parameters, 'issuerClass'>;
  },
): IssuerClass | string {
  const { facts } = profile;
  const curated = profile.universe?.issuerClass ?? null;
  if (curated !== null) return curated;
  if (issuerType === 'etf_trust') return 'crypto_trust_or_etf';
  if (profile.sic === '6770') return 'shell_or_spac';
  if (facts.safeguarding) return 'exchange_or_custodian';
  if (facts.mining) return 'miner';
  if ((profile.cryptoShareOfAssets ?? 0) >= parameters.issuerClass.treasuryShareOfAssets)
    return 'crypto_treasury';
  if (profile.ownerOrg === cryptoOffice) return 'crypto_financial';
  if (facts.crypto) return 'digital_asset_adjacent';
  if (preIpo === 'high') return 'pre_ipo';
  return 'operating_other';
}

/** Classes whose business is coins; the others merely touch them. */
export const cryptoClasses: ReadonlySet<string> = new Set([
  'crypto_trust_or_etf',
  'exchange_or_custodian',
  'miner',
  'crypto_treasury',
  'crypto_financial',
]);
