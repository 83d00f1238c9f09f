/** The same day `years` later; 29 February becomes 28 February where there is none. */
export function addYears(date: string, years: number): string {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0');
  const day = date.slice(4);
  const leap = new Date(`${year}-02-29T00:00:00Z`).getUTCMonth() === 1;
  return day === '-02-29' && !leap ? `${year}-02-28` : `${year}${day}`;
}
