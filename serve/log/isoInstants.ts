/** Prints instants of a running clock; the text of a second is made once. Milliseconds since the epoch come in. */
export type IsoInstants = {
  /** UTC with whole seconds (I1.8 `datetime`). */
  seconds(ms: number): string;
  /** UTC with milliseconds. */
  milliseconds(ms: number): string;
};

/** Starts a printer that remembers the last second it printed. */
export function isoInstants(): IsoInstants {
  let second = Number.NaN;
  let text = '';
  const textOf = (ms: number): string => {
    const asked = Math.floor(ms / 1000);
    if (asked !== second) {
      text = new Date(asked * 1000).toISOString().slice(0, 19);
      second = asked;
    }
    return text;
  };
  return {
    seconds: (ms) => `${textOf(ms)}Z`,
    milliseconds: (ms) => {
      const start = textOf(ms);
      return `${start}.${String(Math.floor(ms) - second * 1000).padStart(3, '0')}Z`;
    },
  };
}
