import { z } from 'zod';
import { parsedJson } from './parsedJson.ts';
import type { PointerBytes } from './pointerFiles.ts';

/** The pointers of a remote store as they were taken up. */
export type RemotePointers = PointerBytes & { readonly lastRun: Buffer | null };

/** Their name in a replica. */
export const keptPointersName = 'pointers.json';

const text = z.string().nullable();
const form = z.strictObject({ layout: text, current: text, slices: text, lastRun: text });

/** The pointers as one file of a replica, so that a start without the store finds them together. */
export const keptPointers = {
  encode: (pointers: RemotePointers): Buffer => {
    const texts = Object.entries(pointers).map(([name, bytes]) => [name, bytes?.toString('utf8') ?? null]);
    return Buffer.from(JSON.stringify(Object.fromEntries(texts)));
  },
  /** null where there are none, or not whole. */
  decode: (bytes: Buffer | null): RemotePointers | null => {
    const parsed = form.safeParse(parsedJson(bytes));
    if (!parsed.success) return null;
    const of = (value: string | null) => (value === null ? null : Buffer.from(value));
    const { layout, current, slices, lastRun } = parsed.data;
    return { layout: of(layout), current: of(current), slices: of(slices), lastRun: of(lastRun) };
  },
};
