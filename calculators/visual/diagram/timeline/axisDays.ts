import { dayNumber, isoDate } from './civilDays.ts';

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const dayUnits = [1, 2, 7, 14] as const;
const monthUnits = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000] as const;

/**
 * Days an axis names between two days: the finest of days, weeks, months and years of which there are at most `most`.
 * Months begin on their first day; a label is as short as its unit allows.
 */
export function axisDays(first: number, last: number, most: number): { day: number; label: string }[] {
  for (const unit of dayUnits)
    if (Math.floor((last - first) / unit) + 1 <= most)
      return Array.from({ length: Math.floor((last - first) / unit) + 1 }, (_, i) => {
        const day = first + i * unit;
        return { day, label: isoDate(day) };
      });
  const months = (day: number) => {
    const [year = 0, month = 1] = isoDate(day).split('-').map(Number);
    return 12 * year + month - 1;
  };
  for (const unit of monthUnits) {
    const from = Math.ceil((months(first) + (isoDate(first).endsWith('-01') ? 0 : 1)) / unit);
    const to = Math.floor(months(last) / unit);
    if (to - from + 1 > most) continue;
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => axisMonth((from + i) * unit, unit));
  }
  return [];
}

function axisMonth(month: number, unit: number): { day: number; label: string } {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  const day = dayNumber(`${year}-${String((month % 12) + 1).padStart(2, '0')}-01`);
  return { day, label: unit >= 12 ? year : `${monthNames[month % 12]} ${year}` };
}
