import type { ResolutionTrail, TrailFact, TrailRoot } from '../../calculators/resolutionTrail.ts';
import { ExactDecimal } from '../../contract/exactDecimal.ts';

const accession = '0001213900-25-111111';
const role = 'http://www.fld.com/role/ConsolidatedBalanceSheets';

/** Debt and coins of M12.8 in an invented filing, with a sum and a price for the sake of printing. */
export function handMadeTrail(): ResolutionTrail {
  return {
    cik: '0001889123',
    accession,
    form: '10-Q',
    period: '2025-09-30',
    ratio: {
      kind: 'ratio',
      name: 'stress_50pct',
      value: 0.917082,
      formula: 'debt / (crypto × 0.5)',
      children: [
        {
          kind: 'total',
          side: 'debt',
          value: decimal('82394322'),
          status: 'resolved_nonzero',
          method: 'extension_root_rollup',
          dataSource: 'linkbase_rollup',
          parts: { current: decimal('21644139'), noncurrent: decimal('60750183') },
          rungs: [
            { rung: 'liabilities_walk', taken: true, reason: '2 debt roots below us-gaap:Liabilities' },
            { rung: 'direct_precedence', taken: false, reason: 'the walk resolved the total' },
          ],
          checks: [{ check: 'M1.35', result: 'pass', detail: '82394322 of liabilities 106214000' }],
          children: [
            root('us-gaap:ConvertibleNotesPayableCurrent', {
              bucket: 'C',
              value: decimal('21644139'),
              parent: 'us-gaap:LiabilitiesCurrent',
              reason: 'dictionary L2',
              children: [fact('us-gaap:ConvertibleNotesPayableCurrent', '21644139')],
            }),
            root('fld:ConvertibleNotesPayableRelatedPartyNoncurrent', {
              value: decimal('60750183'),
              reason: 'accepted extension',
              children: [fact('fld:ConvertibleNotesPayableRelatedPartyNoncurrent', '60750183')],
            }),
          ],
        },
        {
          kind: 'total',
          side: 'crypto',
          value: decimal('179688082'),
          status: 'fair_value_implied_btc',
          method: 'assets_walk',
          dataSource: 'linkbase_rollup',
          parts: {},
          rungs: [{ rung: 'assets_walk', taken: true, reason: '2 crypto roots below us-gaap:Assets' }],
          checks: [],
          children: [
            root('fld:DigitalAssets', {
              bucket: 'T',
              value: decimal('179688082'),
              parent: 'us-gaap:Assets',
              rung: 'assets_walk',
              reason: 'unreported; all its descendants are crypto',
              children: [
                {
                  kind: 'sum',
                  concept: 'fld:DigitalAssets',
                  value: decimal('179688082'),
                  weight: 1,
                  role,
                  children: [
                    fact('fld:DigitalAssetsCurrent', '9295587'),
                    fact('fld:DigitalAssetsNoncurrent', '170392495'),
                    {
                      kind: 'price',
                      asset: 'BTC',
                      date: '2025-09-30',
                      close: 114078.18,
                      source: 'cryptocompare',
                    },
                  ],
                },
              ],
            }),
          ],
        },
      ],
    },
  };
}

function root(concept: string, more: Partial<TrailRoot> & Pick<TrailRoot, 'value'>): TrailRoot {
  return {
    kind: 'root',
    bucket: 'N',
    concept,
    weight: 1,
    parent: 'us-gaap:Liabilities',
    role,
    rung: 'liabilities_walk',
    reason: '',
    children: [],
    ...more,
  };
}

function fact(concept: string, value: string): TrailFact {
  return {
    kind: 'fact',
    concept,
    value: decimal(value),
    weight: 1,
    unit: 'USD',
    start: null,
    end: '2025-09-30',
    context: 'c-2',
    dimensions: [],
    decimals: 0,
    accession,
    origin: 'instance',
  };
}

function decimal(text: string): ExactDecimal {
  return ExactDecimal.parse(text);
}
