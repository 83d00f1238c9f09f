import type { Face, Subset } from './face.ts';

/** A generated face as it lies in `calculators/visual/type/faces`: code points are grouped by what they share. */
export type FaceFile = Omit<Face, 'subsets'> & {
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

/** A face with its groups resolved to look-ups by code point. */
export function readFace(file: FaceFile): Face {
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
