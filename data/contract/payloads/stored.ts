import { z } from 'zod';
import type { ColumnCell } from '../history/segmentIndex.ts';
import { type BucketLength, bucketLengths } from '../values/enums.ts';

// How an answer lies in a release (I4.33): one artifact a subject, or rows of many subjects in one store.

/** What an answer is about, and with it what the key of its artifact is built from. */
export type SubjectParts = {
  readonly none: { readonly slice: string };
  readonly issuer: { readonly slice: string; readonly cik: string };
  readonly product: { readonly slice: string; readonly product: string };
};
export type Subject = keyof SubjectParts;

/** The releases that hold an artifact: all, those of a night, or those of a past date that was built later (I4.36). */
export type HoldingReleases = 'all' | 'full' | 'backfilled';

/** Media types of artifacts that are sent as they are, without envelope. */
export const opaqueMediaTypes = [
  'text/html',
  'text/markdown',
  'image/svg+xml',
  'image/png',
  'application/pdf',
] as const;
export type OpaqueMediaType = (typeof opaqueMediaTypes)[number];

type Single<Sub extends Subject, Parts> = {
  readonly subject: Sub;
  readonly releases: HoldingReleases;
  /** Key inside the release; a variant is stored beside the plain artifact under a key of its own. */
  readonly key: (parts: Parts & { readonly variant?: string }) => string;
};

/** One JSON object under a key of its own. */
export type StoredObject<S extends z.ZodType, Sub extends Subject, Parts> = Single<Sub, Parts> & {
  readonly form: 'object';
  readonly mediaType: 'application/json';
  /** What lies there: the payload without the members that views and the server add. */
  readonly schema: S;
  /** True when it is sent whole, and therefore stored compressed too. */
  readonly coded: boolean;
  /** What each flag of the query, or `name=value` of it, adds to the key, in this order. */
  readonly variants: Readonly<Record<string, string>>;
};

/** Bytes under a key of their own that only their media type describes. */
export type StoredBytes<Sub extends Subject, Parts> = Single<Sub, Parts> & {
  readonly form: 'bytes';
  readonly mediaType: OpaqueMediaType;
  /** Name under which a browser keeps the file; null where it is only shown. */
  readonly fileName: ((parts: Parts) => string) | null;
};

/** What a column of a list says of one row. */
export type ListCell = string | number | boolean | null | readonly string[];

/**
 * Rows of one slice, one a line, read whole. Each column follows from a row and from what is known beside it, so that
 * rows are selected by one definition.
 */
export type RowStore<Row, Beside, Meta, Column extends string, Parts> = {
  readonly form: 'rows';
  readonly releases: HoldingReleases;
  readonly key: (parts: Parts) => string;
  readonly row: z.ZodType;
  /** What holds for the whole list. */
  readonly meta: z.ZodType<Meta>;
  /** What is known beside each row; null where the row says all. */
  readonly beside: z.ZodType | null;
  /** True where `meta` or `beside` says something: it lies under `aboutKeyOf`. */
  readonly hasAbout: boolean;
  readonly columns: Readonly<Record<Column, (row: Row, beside: Beside) => ListCell>>;
};

/** Key of what is known beside a list: `alpha-board/2026-02-07.about.json` of `alpha-board/2026-02-07.ndjson`. */
export function aboutKeyOf(rowsKey: string): string {
  return rowsKey.replace(/\.ndjson$/, '.about.json');
}

/**
 * Rows of many subjects over many dates, in segments that are never rewritten: one a date while its month is open, then
 * one a month (STORE ST7). A row is one line, or one line in each of several forms.
 */
export type History<Row, Form extends string, Column extends string> = {
  readonly form: 'history';
  readonly releases: HoldingReleases;
  /** Forms of a row in stored order, each a line of its own. */
  readonly forms: readonly [Form, ...Form[]];
  readonly row: z.ZodType;
  /** What a look-up needs without reading the rows; part of the index of a segment. */
  readonly columns: Readonly<Record<Column, (row: Row) => ColumnCell>>;
  /** Key of the list of a release's segments. */
  readonly listKey: (parts: { readonly slice: string }) => string;
  /** Key of a segment: of a date or of a month. */
  readonly key: (parts: { readonly period: string }) => string;
  readonly indexKey: (parts: { readonly period: string }) => string;
};

/** A history of any kind, as far as reading and writing it needs. */
export type AnyHistory = History<never, string, string>;

/** A row store of any kind, as far as selecting needs it. */
export type AnyRowStore = RowStore<never, never, unknown, string, never>;
/** Columns of a row store. */
export type ColumnOf<S extends AnyRowStore> = keyof S['columns'] & string;
/** What holds for a whole store. */
export type MetaOf<S extends AnyRowStore> = z.infer<S['meta']>;

/** One artifact of any kind, as far as finding it needs it. */
export type AnySingle = {
  readonly form: 'object' | 'bytes';
  readonly mediaType: string;
  readonly subject: Subject;
  readonly releases: HoldingReleases;
  readonly variants?: Readonly<Record<string, string>>;
  readonly fileName?: ((parts: never) => string) | null;
  readonly key: (parts: never) => string;
};

/** What is known of an artifact or store of any kind. */
export type AnyStored = {
  readonly form: 'object' | 'bytes' | 'rows' | 'history';
  readonly releases: HoldingReleases;
};

/** @param key with the whole key; `variant` is the empty text for the plain artifact */
export function object<S extends z.ZodType, const Sub extends Subject, Parts = SubjectParts[Sub]>(input: {
  subject: Sub;
  schema: S;
  key: (parts: Parts & { readonly variant: string }) => string;
  releases?: HoldingReleases;
  coded?: boolean;
  variants?: Readonly<Record<string, string>>;
}): StoredObject<S, Sub, Parts> {
  const { subject, schema, releases = 'full', coded = true, variants = {} } = input;
  const key = (parts: Parts & { readonly variant?: string }) => input.key({ variant: '', ...parts });
  const mediaType = 'application/json';
  return { form: 'object', mediaType, subject, schema, key, releases, coded, variants };
}

/** @param key as for `object` */
export function bytes<const Sub extends Subject, Parts = SubjectParts[Sub]>(input: {
  subject: Sub;
  mediaType: OpaqueMediaType;
  key: (parts: Parts & { readonly variant: string }) => string;
  fileName?: (parts: Parts) => string;
  releases?: HoldingReleases;
}): StoredBytes<Sub, Parts> {
  const { subject, mediaType, fileName = null, releases = 'full' } = input;
  const key = (parts: Parts & { readonly variant?: string }) => input.key({ variant: '', ...parts });
  return { form: 'bytes', mediaType, subject, key, fileName, releases };
}

/** @param name key without its ending */
export function rows<
  R extends z.ZodType,
  Column extends string,
  B extends z.ZodType = z.ZodNull,
  M extends z.ZodType = typeof nothing,
  Parts = { readonly slice: string },
>({
  name,
  row,
  columns,
  meta,
  beside,
  releases = 'full',
}: {
  name: (parts: Parts) => string;
  row: R;
  columns: Readonly<Record<Column, (row: z.output<R>, beside: z.output<B>) => ListCell>>;
  meta?: M;
  beside?: B;
  releases?: HoldingReleases;
}): RowStore<z.output<R>, z.output<B>, z.output<M>, Column, Parts> {
  return {
    form: 'rows',
    releases,
    key: (parts) => `${name(parts)}.ndjson`,
    row,
    meta: (meta ?? nothing) as z.ZodType<z.output<M>>,
    beside: beside ?? null,
    hasAbout: meta !== undefined || beside !== undefined,
    columns,
  };
}

/** @param name kind of the history, the first segment of its keys */
export function history<R extends z.ZodType, const Form extends string, Column extends string = never>({
  name,
  row,
  forms,
  columns,
  releases = 'full',
}: {
  name: string;
  row: R;
  forms: readonly [Form, ...Form[]];
  columns: Readonly<Record<Column, (row: z.output<R>) => ColumnCell>>;
  releases?: HoldingReleases;
}): History<z.output<R>, Form, Column> {
  return {
    form: 'history',
    releases,
    forms,
    row,
    columns,
    listKey: ({ slice }) => `${name}/${slice}.segments.json`,
    key: ({ period }) => `${name}/${period}.ndjson`,
    indexKey: ({ period }) => `${name}/${period}.index.json`,
  };
}

/** What the key of an artifact of a slice and a bucket length is built from. */
export type BucketParts = { readonly slice: string; readonly bucket_length: string };

/** One of something for every length of an observation bucket. */
export function ofEachLength<T>(make: (length: BucketLength) => T): Readonly<Record<BucketLength, T>> {
  return Object.fromEntries(bucketLengths.map((length) => [length, make(length)])) as Record<BucketLength, T>;
}

const nothing = z.strictObject({});

/** The variant of an object that these flags and values of the query select; the empty text without one. */
export function variantOf(
  { variants }: { readonly variants: Readonly<Record<string, string>> },
  isAsked: (flag: string) => boolean,
): string {
  const asked = Object.entries(variants).filter(([flag]) => isAsked(flag));
  return asked.map(([, suffix]) => suffix).join('');
}
