import type { ChangedCompany, EvidenceRef } from '../../data/contract/payloads/universe/dailyChanges.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { TagFamily } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CompanyProfile } from './companyProfile.ts';
import type { ChangeKind } from './factChange.ts';
import { cryptoClasses, issuerClassOf } from './issuerClassOf.ts';
import { issuerTypeOf } from './issuerTypeOf.ts';
import { preIpoLikelihood } from './preIpoLikelihood.ts';
import { type TaggedSeries, tagFamily, trackedFamilies } from './tagFamily.ts';

/** How many rows of one series changed in one way. */
export type SeriesChange = TaggedSeries & {
  readonly kind: ChangeKind;
  readonly rows: number;
  readonly restated: number;
};

/** One registrant of a delta: which list it is in, its row, and what the gate and the counts look at. */
export type CompanyChange = {
  readonly list: 'changed' | 'new';
  readonly row: ChangedCompany;
  readonly restated: number;
  /** Added or revised rows in a tracked family, for an issuer of the universe only (M6.6). */
  readonly meaningfulRows: number;
  readonly families: Readonly<Partial<Record<TagFamily, number>>>;
};

const evidencePage = 100;

/**
 * The row of one registrant of a delta (I2.27, M6.3): counts in rows, class and pre-IPO likelihood as of the day.
 *
 * Evidence lines are published for issuers of the universe and for companies that changed a crypto fact; every row of every
 * registrant stays in view `changes`.
 */
export function companyChange(input: {
  date: string;
  isNew: boolean;
  profile: CompanyProfile;
  series: readonly SeriesChange[];
  parameters: Pick<Parameters, 'preIpo' | 'issuerType' | 'issuerClass'>;
}): CompanyChange {
  const { profile, series, date } = input;
  const inUniverse = profile.universe !== null;
  const families: Partial<Record<TagFamily, number>> = {};
  let rows = 0;
  let meaningfulRows = 0;
  for (const one of series) {
    const family = tagFamily(one, { holdsCoins: inUniverse });
    families[family] = (families[family] ?? 0) + one.rows;
    rows += one.rows;
    if (inUniverse && one.kind !== 'removed' && trackedFamilies.has(family)) meaningfulRows += one.rows;
  }
  const preIpo = preIpoLikelihood(profile, input);
  const issuerType = issuerTypeOf(profile, input) ?? profile.universe?.issuerType ?? null;
  const issuerClass = issuerClassOf(profile, { ...input, issuerType, preIpo: preIpo?.likelihood ?? null });
  const isCrypto = cryptoClasses.has(issuerClass);
  const hasDigital = profile.facts.crypto || isCrypto;
  const isPreIpo = preIpo?.likelihood === 'high';
  const evidence = rows > 0 && (inUniverse || (families.crypto ?? 0) > 0);
  const row: ChangedCompany = {
    cik: profile.cik,
    entity_name: profile.entityName,
    ...(profile.ticker === null ? {} : { ticker: profile.ticker }),
    ...(profile.exchange === null ? {} : { exchange: profile.exchange }),
    ...(issuerType === null ? {} : { company_type: issuerType }),
    issuer_class: issuerClass,
    ...(preIpo === null ? {} : { pre_ipo_likelihood: preIpo.likelihood }),
    ...(preIpo === null || preIpo.reason === null ? {} : { pre_ipo_reason: preIpo.reason }),
    classifications: [
      ...(isCrypto ? ['crypto'] : []),
      ...(hasDigital ? ['digital_assets'] : []),
      ...(isPreIpo ? ['pre_ipo'] : []),
    ],
    delta_size: rows,
    fact_changes: new Set(series.map((one) => `${one.taxonomy}:${one.concept}`)).size,
    raw_tag_count: rows,
    has_crypto_assets: profile.facts.crypto,
    has_digital_assets: hasDigital,
    is_crypto: isCrypto,
    is_pre_ipo: isPreIpo,
    evidence_available: evidence,
    ...(evidence ? { evidence_ref: evidenceRefOf(profile, date) } : {}),
  };
  const restated = series.reduce((sum, one) => sum + one.restated, 0);
  return { list: input.isNew ? 'new' : 'changed', row, restated, meaningfulRows, families };
}

function evidenceRefOf(profile: CompanyProfile, date: string): EvidenceRef {
  return {
    tool: 'intel_daily_change_evidence',
    route: 'GET /v1/daily-changes/evidence',
    args: {
      ...(profile.universe === null || profile.ticker === null ? {} : { ticker: profile.ticker }),
      cik: profile.cik,
      source_date: date,
      limit: evidencePage,
      offset: 0,
    },
  };
}

/** delta_size descending, then CIK ascending (I2.22). */
export function compareCompanies(a: ChangedCompany, b: ChangedCompany): number {
  return (b.delta_size ?? 0) - (a.delta_size ?? 0) || compareText(a.cik, b.cik);
}
