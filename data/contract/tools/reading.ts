/** A figure of a reading text: path in the data, its unit where it has one, and its name where the path is too long for one. */
export type Figure = readonly [path: string, unit?: string, name?: string];

/** What a reading text shows of an answer. */
export type Reading = {
  /** Figures of the one-line summary. */
  readonly headline: readonly Figure[];
  readonly figures: readonly Figure[];
  /** Path of a text that is the answer itself. */
  readonly prose?: string;
  /** Figures that measure nothing in a row whose debt or coins are unproven or none; what it lacks is said instead (M3.3). */
  readonly measured?: readonly string[];
  /** A list of which the first rows are shown. */
  readonly rows?: { readonly member: string; readonly columns: readonly Figure[] };
};
