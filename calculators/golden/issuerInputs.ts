import { ExactDecimal } from '../../contract/exactDecimal.ts';
import type { FiledFact, Filing, Issuer, IssuerInputs } from '../rows.ts';
import type { XbrlFiling } from '../xbrlFiling.ts';

type Amounts = Readonly<Record<string, string | number>>;

/** Inputs of one issuer from a few lines: filed amounts by local name, USD at the period end unless said otherwise. */
export type InputsOf = {
  readonly issuer?: Partial<Issuer>;
  readonly filing?: Partial<Filing>;
  /** `LongTermDebt: 100`; `srt:…` and `ifrs-full:…` name another taxonomy. */
  readonly balance?: Amounts;
  readonly facts?: readonly FiledFact[];
  readonly supporting?: readonly FiledFact[];
  readonly xbrl?: XbrlFiling | null;
};

/** Builds {@link IssuerInputs} for a test; Strategy's 10-Q for 2025-09-30 is the filing unless another is given. */
export function issuerInputs({ issuer, filing, balance, facts, supporting, xbrl }: InputsOf): IssuerInputs {
  const filed: Filing = {
    cik: '0001050446',
    accession: '0001193125-25-262568',
    accessionStatus: 'filed',
    form: '10-Q',
    filed: '2025-11-03',
    acceptedAt: '2025-11-03T21:04:00Z',
    acceptanceEstimated: false,
    period: '2025-09-30',
    ...filing,
  };
  return {
    issuer: {
      cik: filed.cik,
      ticker: 'MSTR',
      entityName: 'Strategy Inc',
      aliases: [],
      exchange: 'Nasdaq',
      issuerType: 'operating_company',
      issuerClass: 'crypto_treasury',
      primaryAsset: 'BTC',
      ...issuer,
    },
    filing: filed,
    facts: [
      ...Object.entries(balance ?? {}).map(([concept, value]) => filedFact(filed, { concept, value })),
      ...(facts ?? []),
    ],
    supporting: supporting ?? [],
    xbrl: xbrl ?? null,
  };
}

/** One fact of a filing; an instant at its period end unless `start` or `end` say otherwise. */
export function filedFact(
  filing: Filing,
  o: { concept: string; value: string | number; unit?: string; start?: string; end?: string },
): FiledFact {
  const [taxonomy, concept] = o.concept.includes(':') ? o.concept.split(':') : ['us-gaap', o.concept];
  return {
    taxonomy: taxonomy ?? 'us-gaap',
    concept: concept ?? o.concept,
    unit: o.unit ?? 'USD',
    value: ExactDecimal.parse(String(o.value)),
    start: o.start ?? null,
    end: o.end ?? filing.period,
    accession: filing.accession,
    form: filing.form,
    filed: filing.filed,
  };
}
