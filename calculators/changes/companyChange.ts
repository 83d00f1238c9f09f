import type { ChangedCompany, EvidenceRef } from '../../data/contract/payloads/universe/dailyChanges.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type {
  IssuerClass,
  IssuerType,
  PreIpoLikelihood,
  TagFamily,
} from '../../data/contract/values/enums.ts';
import { isDomesticReport } from '../filing/periodicForms.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { ChangeKind } from './evidenceLines.ts';
import { type TaggedSeries, tagFamily, trackedFamilies } from './tagFamily.ts';

/** How many rows of one series changed in one way. */
export type SeriesChange = TaggedSeries & {
  readonly kind: ChangeKind;
  readonly rows: number;
  readonly restated: number;
};

/** One registrant of a delta: which list it is in, its row, and what the gate and the counts read. */
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
  parameters: Pick<Parameters, 'concepts' | 'preIpo' | 'issuerType' | 'issuerClass'>;
}): CompanyChange {
  const { profile, series, date } = input;
  const inUniverse = profile.universe !== null;
  const families: Partial<Record<TagFamily, number>> = {};
  let rows = 0;
  let meaningfulRows = 0;
  for (const one of series) {
    const family = tagFamily(one, { holdsCoins: inUniverse, concepts: input.parameters.concepts });
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

const trustName = /\b(ETF|Trust|Fund|ETP)\b/i;
const fundForms = /^(N-CSR|N-CSRS|N-PORT|NPORT-P|NPORT-EX|N-CEN|N-1A|N-2|485APOS|485BPOS|497|N-8A)(\/A)?$/;
const fundReports = /^(N-CSR|N-CSRS|N-PORT|NPORT-P|NPORT-EX)(\/A)?$/;
const foreignForms = /^(20-F|40-F|6-K)(\/A)?$/;
/** A prospectus supplement in this many months of the last year is a monthly one. */
const monthlySupplements = 10;

/**
 * The issuer type by the rules of M5.20; a name alone never makes a trust. Null when the submissions are not available,
 * since forms decide: the universe then says.
 */
export function issuerTypeOf(
  profile: CompanyProfile,
  { date, parameters }: { date: string; parameters: Pick<Parameters, 'issuerType'> },
): IssuerType | null {
  if (profile.forms === null) return null;
  const forms = profile.forms.filter((row) => row.filed <= date);
  const has = (pattern: RegExp) => forms.some((row) => pattern.test(row.form));
  if (profile.sic === '6221' && !profile.facts.operations) return 'etf_trust';
  const trustLike =
    trustName.test(profile.entityName) &&
    (profile.cryptoShareOfAssets ?? 0) >= parameters.issuerType.cryptoShareOfAssets &&
    profile.debtIsZero === true;
  if (trustLike && (profile.facts.creationUnits || monthly(forms, date) || has(fundReports)))
    return 'etf_trust';
  if (has(fundForms)) return 'fund_vehicle';
  if (has(foreignForms) && !forms.some(({ form }) => isDomesticReport(form))) return 'foreign_issuer';
  return 'operating_company';
}

function monthly(forms: readonly { form: string; filed: string }[], date: string): boolean {
  const yearAgo = `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`;
  const months = forms
    .filter((row) => row.form === '424B3' && row.filed > yearAgo)
    .map((row) => row.filed.slice(0, 7));
  return new Set(months).size >= monthlySupplements;
}

const cryptoOffice = '09 Crypto Assets';

/**
 * The class of a registrant: the curated one of its row in the universe, else the first rule of M6.10 that holds. Facts
 * available see a part only: KULR, BTBT and GAME are crypto treasuries although other business fills their filings.
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
const cryptoClasses: ReadonlySet<string> = new Set([
  'crypto_trust_or_etf',
  'exchange_or_custodian',
  'miner',
  'crypto_treasury',
  'crypto_financial',
]);

type PreIpo = {
  readonly likelihood: PreIpoLikelihood;
  readonly points: number;
  /** The hits with their points; null when nothing was hit. */
  readonly reason: string | null;
};

const registration = /^(S-1|F-1|S-11|F-10|DRS|DRSLTR)(\/A)?$/;
const effective = /^(EFFECT|424B4)$/;
const foreignAnnual = /^20-F(\/A)?$/;
const listing = /^8-A12B(\/A)?$/;
const withdrawal = /^RW( WD)?$/;

/**
 * How likely a registrant is on its way to a public offering, from the forms it filed (M6.11).
 *
 * Null when its submissions are not available: draft registrations are confidential at first, so absence says nothing.
 *
 * @param date the day; only filings up to it count
 */
export function preIpoLikelihood(
  profile: Pick<CompanyProfile, 'forms' | 'ticker' | 'exchange' | 'sic'>,
  { date, parameters }: { date: string; parameters: Pick<Parameters, 'preIpo'> },
): PreIpo | null {
  if (profile.forms === null) return null;
  const { points, registrationMonths, high, medium, low } = parameters.preIpo;
  const known = profile.forms.filter((row) => row.filed <= date);
  const since = monthsBefore(date, registrationMonths);
  const registered = newest(known.filter((row) => registration.test(row.form) && row.filed >= since));
  const seen = (pattern: RegExp) => newest(known.filter((row) => pattern.test(row.form)));
  const effectiveRow = seen(effective);
  const hits: [string, number][] = [];
  if (profile.ticker === null && profile.exchange === null)
    hits.push(['no ticker or exchange', points.noTicker]);
  if (registered !== null) {
    hits.push([`${registered.form} filed ${registered.filed}`, points.registration]);
    // an offering that went effective before this registration is another one
    if (effectiveRow === null || effectiveRow.filed < registered.filed)
      hits.push(['no EFFECT or 424B4 yet', points.notEffective]);
  }
  const report = newest(known.filter(({ form }) => isDomesticReport(form) || foreignAnnual.test(form)));
  if (report !== null) hits.push([`${report.form} filed ${report.filed}`, points.periodic]);
  const listed = seen(listing);
  if (listed !== null) hits.push([`${listed.form} filed ${listed.filed}`, points.listingForm]);
  const withdrawn = seen(withdrawal);
  if (withdrawn !== null) hits.push([`${withdrawn.form} filed ${withdrawn.filed}`, points.withdrawal]);
  if (profile.sic === '6770') hits.push(['SIC 6770 blank check', points.blankCheck]);
  const total = hits.reduce((sum, [, value]) => sum + value, 0);
  const likelihood = total >= high ? 'high' : total >= medium ? 'medium' : total >= low ? 'low' : 'none';
  const reason = hits.map(([what, value]) => `${what} (${value > 0 ? '+' : '−'}${Math.abs(value)})`);
  return { likelihood, points: total, reason: reason.length === 0 ? null : reason.join('; ') };
}

function newest(rows: readonly FormRow[]): FormRow | null {
  return rows.reduce<FormRow | null>(
    (best, row) => (best === null || row.filed > best.filed ? row : best),
    null,
  );
}

function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last));
  return first.toISOString().slice(0, 10);
}

/** One filing of a registrant as the submissions archive lists it. */
export type FormRow = { readonly form: string; readonly filed: string };

/** What is known of a registrant on a day, from submissions, ticker file, archive and universe (M6.9). */
export type CompanyProfile = {
  readonly cik: string;
  readonly entityName: string;
  readonly ticker: string | null;
  readonly exchange: string | null;
  readonly sic: string | null;
  readonly ownerOrg: string | null;
  /** Filings up to the day; null when the submissions of the registrant are not available. */
  readonly forms: readonly FormRow[] | null;
  /** The registrant's row in the universe, if it has one. */
  readonly universe: { readonly issuerType: IssuerType; readonly issuerClass: string | null } | null;
  /** Coins over total assets at the newest balance sheet; null when either is unknown. */
  readonly cryptoShareOfAssets: number | null;
  /** True for a measured debt of zero; null when unknown. */
  readonly debtIsZero: boolean | null;
  /** What concepts and members of its facts say. */
  readonly facts: {
    readonly crypto: boolean;
    readonly safeguarding: boolean;
    readonly mining: boolean;
    /** `Revenues` or an operating-expense fact. */
    readonly operations: boolean;
    /** Units created or redeemed by a trust. */
    readonly creationUnits: boolean;
  };
};
