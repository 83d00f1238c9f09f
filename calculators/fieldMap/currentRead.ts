import type { FieldRead } from '../../data/contract/values/enums.ts';
import { addDays } from '../exact/civilDate.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { FieldCurves, FieldFigures } from './fieldCurves.ts';
import type { FieldMapRow } from './fieldMapRow.ts';
import { fellBy } from './publishedDecimal.ts';

/** A filing as the map sees it: its date, and the day it became known. */
export type FieldEvent = { readonly filed: string; readonly knownOn: string };

/** The read at point `at`, first match of M9.7, from what was known on its day. */
export function currentRead({
  points,
  at,
  row,
  events,
  parameters,
}: {
  readonly points: readonly FieldFigures[];
  readonly at: number;
  /** The history row of that point. */
  readonly row: FieldMapRow;
  readonly events: readonly FieldEvent[];
  readonly parameters: Pick<Parameters, 'fieldMap'>;
}): FieldRead {
  const last = points[at];
  if (last === undefined || needsConfirmation(row)) return 'Needs Core Confirmation';
  const since = addDays(last.date, -parameters.fieldMap.events.days);
  const recent = events.filter(
    ({ filed, knownOn }) => filed >= since && filed <= last.date && knownOn <= last.date,
  ).length;
  return readOfCurves({ points, at, recent, parameters });
}

/** What the curves say at point `at`, with so many events in the days before it (M9.7). */
export function readOfCurves({
  points,
  at,
  recent,
  parameters,
}: {
  readonly points: readonly FieldCurves[];
  readonly at: number;
  readonly recent: number;
  readonly parameters: Pick<Parameters, 'fieldMap'>;
}): FieldRead {
  const { window, thresholds, events: dense } = parameters.fieldMap;
  const last = points[at];
  if (last === undefined || at + 1 < window.minPoints) return 'Needs Core Confirmation';
  const { field_pressure: pressure, stored_energy: energy } = last;
  if (pressure === null || energy === null) return 'Needs Core Confirmation';
  if (recent >= dense.count) return 'Event-Dense Watch';
  const earlier = points[at - window.changePoints]?.field_pressure ?? null;
  const moved = (from: number, to: number) => fellBy(from, to, thresholds.change);
  if (last.compression === 1 || (earlier !== null && moved(pressure, earlier))) return 'Pressure Building';
  if (last.release === 1 || (earlier !== null && moved(earlier, pressure))) return 'Pressure Cooling';
  if (pressure < thresholds.quiet && energy < thresholds.quiet && recent === 0) return 'Quiet Field';
  return 'Monitor';
}

function needsConfirmation(row: FieldMapRow): boolean {
  return row.coreTier === 'Coil' || row.quality === 'Low' || row.riskTier === 'UNCLASSIFIED';
}
