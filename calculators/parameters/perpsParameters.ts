import { list, number, type RegistryReader, record, refused, text } from './registryReader.ts';

/** One row of the threshold contract (M8.15). */
export type PerpsThreshold = {
  readonly thresholdId: string;
  readonly operator: '>=' | '<=';
  readonly threshold: number;
};

export const bucketLengths = ['15m', '1h', '1d'] as const;

/** Windows, bands and the threshold contract of the perpetual-futures factors (METHODOLOGY section 8). */
export function perpsParameters({ num, numbers, value }: RegistryReader) {
  return {
    perps: {
      buckets: perpsBuckets(value('perps_buckets')),
      windows: numbers(
        'perps_windows',
        'shortVolatilityDays',
        'longVolatilityDays',
        'shortMomentumDays',
        'longMomentumDays',
        'breadthDays',
        'amihudDays',
        'openInterestHours',
        'turnoverHours',
      ),
      registry: numbers('perps_registry', 'weightTolerance', 'attributionTolerance'),
      pressureBands: numbers('perps_pressure_bands', 'balanced', 'building', 'elevated', 'extreme'),
      singleName: num('perps_single_name'),
      coverage: numbers(
        'perps_coverage',
        'issuerWeight',
        'pricedWeight',
        'priceMaxAgeHours',
        'mappedWeight',
        'inputs',
        'inputCount',
      ),
      thresholdContract: list(value('perps_threshold_contract'), 'perps_threshold_contract').map(
        perpsThreshold,
      ),
      eventPasses: numbers('perps_event_passes', 'confirmed', 'watch'),
      ranking: numbers(
        'perps_ranking',
        'midpoint',
        'perPressure',
        'balanced',
        'building',
        'elevated',
        'extreme',
      ),
    },
  };
}

export type PerpsParameters = Readonly<ReturnType<typeof perpsParameters>>;

type Bucket = Readonly<Record<'minutes' | 'window' | 'minBuckets' | 'staleHours', number>>;

function perpsBuckets(value: unknown): Readonly<Record<(typeof bucketLengths)[number], Bucket>> {
  const table = record(value, 'perps_buckets');
  const bucket = (length: string): Bucket => {
    const row = record(table[length], `perps_buckets.${length}`);
    const num = (key: string) => number(row[key], `perps_buckets.${length}.${key}`);
    return {
      minutes: num('minutes'),
      window: num('window'),
      minBuckets: num('min_buckets'),
      staleHours: num('stale_hours'),
    };
  };
  return { '15m': bucket('15m'), '1h': bucket('1h'), '1d': bucket('1d') };
}

function perpsThreshold(value: unknown, i: number): PerpsThreshold {
  const name = `perps_threshold_contract.${i}`;
  const row = record(value, name);
  const operator = row['operator'];
  if (operator !== '>=' && operator !== '<=') throw refused(`${name}.operator`, '>= or <=');
  return {
    thresholdId: text(row['threshold_id'], `${name}.threshold_id`),
    operator,
    threshold: number(row['threshold'], `${name}.threshold`),
  };
}
