import { easternOfUtc, utcOfEastern } from '../../source/easternTime.ts';

/** In which zone acceptance instants were stated, and how that is known (METHODOLOGY M1.44d). */
export type AcceptanceBasis = 'header' | 'snapshot_utc' | 'snapshot_eastern' | 'later_reading';

/** One row of a list of submissions, its instant `YYYY-MM-DD HH:MM:SS` as stated. */
type Stated = { readonly form: string; readonly stated: string };

/** Hours in which EDGAR accepts, New York. */
const opening = '06:00:00';
const closing = '22:00:00';
/** What the staff of the SEC puts there, at any hour. */
const staffForms = new Set(['EFFECT', 'QUALIF', 'UPLOAD']);
/** One row of a hundred may lie outside: EDGAR stays open longer on some evenings. */
const rowsPerStray = 100;

/**
 * The zone the instants of one file of the submissions archive are stated in. All are marked `Z`, and copies of the list
 * write New York time all the same.
 *
 * The reading under which the rows lie in the hours in which EDGAR accepts is the zone; where both or neither do, the
 * later reading, which is New York's: nothing is known before it was. Rows that carry a day alone are no evidence.
 */
export function acceptanceZone(rows: readonly Stated[]): Exclude<AcceptanceBasis, 'header'> {
  const clocks = rows.flatMap(({ form, stated }) => {
    if (staffForms.has(form)) return [];
    const [asEastern, asUtc] = [stated.slice(11), easternOfUtc(stated).slice(11)];
    return [asEastern, asUtc].includes('00:00:00') ? [] : [{ asEastern, asUtc }];
  });
  const fits = (reading: 'asEastern' | 'asUtc') => {
    const strays = clocks.filter((clock) => clock[reading] < opening || clock[reading] > closing);
    return strays.length * rowsPerStray <= clocks.length;
  };
  const [isEastern, isUtc] = [fits('asEastern'), fits('asUtc')];
  if (isEastern === isUtc) return 'later_reading';
  return isUtc ? 'snapshot_utc' : 'snapshot_eastern';
}

/** The UTC instant of a stated one. */
export function acceptedAt(stated: string, basis: AcceptanceBasis): string {
  return basis === 'snapshot_utc' ? stated : utcOfEastern(stated);
}
