/** Family and weight that a text is set in (V7). */
export type FaceName = `${FaceFamily}-${400 | 600}`;
export type FaceFamily = 'sans' | 'serif' | 'mono';

/** One subset file of a face, ready to look up. */
export type Subset = {
  readonly name: string;
  readonly range: string;
  /** Code point to advance in units. */
  readonly advances: ReadonlyMap<number, number>;
  /** Left code point to right code point to units; rows of equal kerning are one map. */
  readonly kerning: ReadonlyMap<number, ReadonlyMap<number, number>>;
  readonly woff2: string;
};

export type Face = {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly subsets: readonly Subset[];
};
