import mono400 from './faces/mono-400.json' with { type: 'json' };
import mono600 from './faces/mono-600.json' with { type: 'json' };
import sans400 from './faces/sans-400.json' with { type: 'json' };
import sans600 from './faces/sans-600.json' with { type: 'json' };
import serif400 from './faces/serif-400.json' with { type: 'json' };
import serif600 from './faces/serif-600.json' with { type: 'json' };

/** A generated face as it lies in `calculators/visual/type/faces`: code points are grouped by what they share. */
type FaceFile = Omit<Face, 'subsets'> & {
  readonly subsets: readonly {
    readonly name: string;
    readonly range: string;
    readonly advances: readonly { readonly units: number; readonly of: string }[];
    readonly kerning: readonly {
      readonly after: string;
      readonly pairs: readonly { readonly units: number; readonly before: string }[];
    }[];
    readonly woff2: string;
  }[];
};

function readFace(file: FaceFile): Face {
  const { unitsPerEm, ascent, descent, capHeight } = file;
  return { unitsPerEm, ascent, descent, capHeight, subsets: file.subsets.map(subsetOf) };
}

function subsetOf({ name, range, advances, kerning, woff2 }: FaceFile['subsets'][number]): Subset {
  return {
    name,
    range,
    woff2,
    advances: new Map(advances.flatMap(({ units, of }) => each(of, units))),
    kerning: new Map(
      kerning.flatMap(({ after, pairs }) =>
        each(after, new Map(pairs.flatMap(({ units, before }) => each(before, units)))),
      ),
    ),
  };
}

const each = <T>(text: string, value: T): [number, T][] =>
  [...text].map((character) => [character.codePointAt(0) ?? 0, value]);

/** The six faces of the room, generated from IBM Plex 5.3.0 (V7, V8). */
export const faces: Readonly<Record<FaceName, Face>> = {
  'sans-400': readFace(sans400),
  'sans-600': readFace(sans600),
  'serif-400': readFace(serif400),
  'serif-600': readFace(serif600),
  'mono-400': readFace(mono400),
  'mono-600': readFace(mono600),
};

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

/** Names of the families in CSS: those of the package are reserved by its licence (V8). */
export const cssFamilies: Readonly<Record<FaceFamily, string>> = {
  sans: 'II Sans',
  serif: 'II Serif',
  mono: 'II Mono',
};
