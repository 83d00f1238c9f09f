/** A maximal run of consecutive points with the flag 1 (M9.6). */
export type Band = { readonly from: string; readonly to: string; readonly points: number };

/** The bands of one flag, oldest first; a point without a value ends a band. */
export function bandsOf<Flag extends string>(
  points: readonly ({ readonly date: string } & { readonly [name in Flag]: number | null })[],
  flag: Flag,
): Band[] {
  const bands: { from: string; to: string; points: number }[] = [];
  let open = false;
  for (const point of points) {
    const band = bands.at(-1);
    if (point[flag] !== 1) open = false;
    else if (open && band !== undefined) {
      band.to = point.date;
      band.points += 1;
    } else {
      bands.push({ from: point.date, to: point.date, points: 1 });
      open = true;
    }
  }
  return bands;
}
