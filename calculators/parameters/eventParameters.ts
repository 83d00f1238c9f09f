import { deltaWindowDays } from '../../data/contract/values/deltaWindowDays.ts';
import { type RegistryReader, refused } from './registryReader.ts';

/** Limits of daily changes, classification, choreography, field maps, readiness and the backtest (METHODOLOGY 6, 7, 9, 12.4, 13.3). */
export function eventParameters({ num, numbers, value }: RegistryReader) {
  return {
    rankDirection: rankDirection(value('rank_direction')),
    /** A slice with fewer rows than this share of the slice before is partial (I2.46). */
    partialSlice: num('partial_slice'),
    freshnessWindowHours: num('freshness_window_hours'),
    dailyChangeGate: numbers('daily_change_gate', 'minRatio', 'maxRatio', 'medianDays', 'minDays'),
    archiveScan: numbers('archive_scan', 'lostShare', 'keptDays'),
    deltaWindow: deltaWindow(numbers('delta_window', 'maxLagBusinessDays', 'maxDays', 'defaultDays')),
    issuerType: numbers('issuer_type', 'cryptoShareOfAssets'),
    issuerClass: numbers('issuer_class', 'treasuryShareOfAssets'),
    preIpo: {
      points: numbers(
        'pre_ipo_points',
        'noTicker',
        'registration',
        'notEffective',
        'periodic',
        'listingForm',
        'withdrawal',
        'blankCheck',
      ),
      ...numbers('pre_ipo_bands', 'high', 'medium', 'low', 'registrationMonths'),
    },
    choreography: {
      shelfTakedown: numbers('shelf_takedown', 'beforeBusinessDays', 'afterBusinessDays', 'closesAfterYears'),
      staffReview: numbers('staff_review', 'gapDays', 'anchorDays', 'releaseBusinessDays'),
      lateFiling: numbers('late_filing', 'annualDays', 'quarterlyDays'),
      initialOffering: numbers('initial_offering', 'listingDays', 'registrationYears'),
      merger: numbers('merger', 'agreementDays', 'closingDays'),
    },
    backtest: numbers('backtest', 'embargoDays', 'horizonMonths', 'minEvents', 'permutations', 'seed'),
    fieldMap: {
      window: numbers('field_map_window', 'points', 'minPoints', 'changePoints'),
      thresholds: numbers('field_map_thresholds', 'compression', 'release', 'change', 'quiet'),
      events: numbers('field_map_events', 'count', 'days'),
      reads: numbers('field_map_reads', 'low', 'mid', 'mediumPoints', 'highPoints'),
    },
  };
}

export type EventParameters = Readonly<ReturnType<typeof eventParameters>>;

function rankDirection(value: unknown): '1_is_highest_risk' {
  if (value === '1_is_highest_risk') return value;
  throw refused('rank_direction', '1_is_highest_risk');
}

/** The days of a window are the server's, which reads no registry (I3.21). */
function deltaWindow({
  maxLagBusinessDays,
  maxDays,
  defaultDays,
}: Readonly<Record<'maxLagBusinessDays' | 'maxDays' | 'defaultDays', number>>) {
  const { most, byDefault } = deltaWindowDays;
  if (maxDays !== most) throw refused('delta_window.max_days', `${most}, which the server uses,`);
  if (defaultDays !== byDefault)
    throw refused('delta_window.default_days', `${byDefault}, which the server uses,`);
  return { maxLagBusinessDays };
}
