// how the operations page writes what it shows

const number = new Intl.NumberFormat('en-US');

/** `12,345` */
export function shownCount(value: number): string {
  return number.format(value);
}

/** `1 answer`, `2 answers`; `word` is the singular, with an s for more. */
export function shownMany(value: number, word: string): string {
  return `${shownCount(value)} ${word}${value === 1 ? '' : 's'}`;
}

/** `$1,234.56`, more digits where the amount has them. */
export function shownUsd(micro: number): string {
  const size = Math.abs(micro);
  const rest = String(size % 1e6).padStart(6, '0');
  const cents = rest.slice(0, 2) + rest.slice(2).replace(/0+$/, '');
  return `${micro < 0 ? '-' : ''}$${number.format(Math.trunc(size / 1e6))}.${cents}`;
}

/** `3 d 4 h`, `5 h 12 min`, `42 s`: the two largest units. */
export function shownDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** `2026-02-07 07:12 UTC` */
export function shownInstant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1.5 GiB` */
export function shownBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
