import type { FieldPoint } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import type { FieldRead } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';

type Flags = Pick<FieldPoint, 'compression' | 'release'>;

// The fixed texts of a field map (M9.8, M9.9): no word depends on anything but published values.

/** Low, mid or high by thirds of the rolling range (M9.9). */
export function levelRead(value: number | null, parameters: Pick<Parameters, 'fieldMap'>): string {
  if (value === null) return 'unavailable';
  const { low, mid } = parameters.fieldMap.reads;
  return value < low ? 'low' : value < mid ? 'mid' : 'high';
}

/** What one point says: its three levels. */
export function pointRead(
  point: Pick<FieldPoint, 'field_pressure' | 'stored_energy' | 'price_echo'>,
  parameters: Pick<Parameters, 'fieldMap'>,
): string {
  const level = (value: number | null) => levelRead(value, parameters);
  return `pressure ${level(point.field_pressure)}, energy ${level(point.stored_energy)}, price ${level(point.price_echo)}`;
}

/** `Compression Watch / Monitor` and its like (M9.9). */
export function issuerState(point: Flags, read: FieldRead): string {
  const watch =
    point.compression === 1 ? 'Compression Watch' : point.release === 1 ? 'Release Watch' : 'Steady';
  return `${watch} / ${read}`;
}

/** One sentence for a reader who reads only one. */
export const takeaways: Readonly<Record<FieldRead, string>> = {
  'Needs Core Confirmation':
    'The stored rows do not carry a read yet: data quality, tier or number of points is not sufficient.',
  'Event-Dense Watch': 'Filings are dense: three or more within fourteen days of the latest point.',
  'Pressure Building': 'Field pressure is high and stress rose, or pressure rose clearly over five points.',
  'Pressure Cooling': 'Field pressure fell clearly at the latest point or over five points.',
  'Quiet Field': 'Pressure and energy are low and nothing was filed within fourteen days.',
  Monitor: 'No rule of the map stands out at the latest point.',
};

/** What to check next, by the latest point. */
export function watchNext(point: Flags, form: string | null): string[] {
  return [
    // a fourth quarter is reported in the annual report, which the form of the last quarter does not tell
    form === '10-K' || form === '10-KT' ? 'next 10-Q' : 'next periodic report',
    ...(point.compression === 1 ? ['release of the current compression'] : []),
    ...(point.release === 1 ? ['whether stress keeps falling'] : []),
  ];
}

/** The sentence of `what_changed` (M9.8). */
export function changeRead({
  points,
  compressions,
  releases,
  events,
}: {
  readonly points: number;
  readonly compressions: number;
  readonly releases: number;
  readonly events: number;
}): string {
  return (
    `${counted(compressions, 'compression band')} and ${counted(releases, 'release band')} over ` +
    `${counted(points, 'point')}; ${counted(events, 'filing')} in the same days.`
  );
}

/** `1 point`, `2 points`. */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
