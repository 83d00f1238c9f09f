import { z } from 'zod';
import type { NotFoundReason } from '../errors/problem.ts';
import type { Persistence } from '../payloads/market/marketEnvelope.ts';
import type { ServeTime } from '../payloads/serveTime.ts';
import type { AnyHistory, AnyRowStore, AnySingle, ColumnOf, ListCell, MetaOf } from '../payloads/stored.ts';
import type { CanonicalValue } from '../values/canonicalJson.ts';

// How a route is answered from what is stored (INTERFACE I4.R). A row of the route table says it with these; the server
// reads it and asks nothing else of a route.

/** Values of a request by parameter name, defaults filled in. */
export type Asked = ReadonlyMap<string, string | number | boolean>;

/** One stored artifact, sent as it is: of the slice, of an issuer or of a product. */
export type ObjectAnswer = {
  readonly kind: 'object';
  readonly stored: AnySingle;
  /** Further representations, by the value of the parameter `format`. */
  readonly formats: Readonly<Record<string, AnySingle>>;
  /** Members that are filled in when it is sent; null without one (I4.29). */
  readonly serveTime: ServeTime | null;
  /** Lists of the payload whose lengths a buyer sees before paying. */
  readonly counted: readonly string[];
  /** Where a backfilled release holds the same answer (I4.36). */
  readonly rows: AnyRowStore | null;
  /** Rows of the subject that are put into the object: a member with the newest of a history; null without one. */
  readonly newest: NewestRows | null;
  /** What is said of a subject of the slice for which nothing is stored; null: that is a defect of the release. */
  readonly miss: SubjectMiss | null;
  /** Members of the object that are sent; null sends it whole. */
  readonly picked: readonly string[] | null;
  /** What it is made from, by name: a slice that lacks one of them has not published it (I4.R28.6). */
  readonly sources: Readonly<Record<string, AnySingle | AnyRowStore>>;
  /** What a slice that lacks one of them is missed for. */
  readonly unsourced: NotFoundReason;
};

/** The newest rows of the subject in a history, date ascending, as one member of its object. */
export type NewestRows = { readonly history: AnyHistory; readonly member: string; readonly most: number };

/** A subject without an answer (I7.6). */
export type SubjectMiss = {
  readonly reasonCode: NotFoundReason;
  /** Completes the sentence that begins with the name of the subject. */
  readonly sentence: string;
  readonly hint: string;
  /** Column of the covenant rows that says why; where it says nothing, the release has a defect. */
  readonly because?: string;
};

/** A page of the rows of a store that pass the filters, in stored order, with members around it. */
export type ListAnswer = {
  readonly kind: 'list';
  readonly rows: AnyRowStore;
  readonly filters: readonly Filter[];
  /** Name of the member that holds the rows. */
  readonly member: string;
  readonly members: (page: ListPage<never>) => Members;
  /** Members of a row that are sent; null sends it as it is stored. */
  readonly picked: (asked: Asked) => readonly string[] | null;
  /** Of what a slice without the list holds nothing; null: that is a defect of the release. */
  readonly lacking: string | null;
};

/** A page of the rows of one issuer, one a source date, over a range of dates. */
export type HistoryAnswer = {
  readonly kind: 'history';
  readonly history: AnyHistory;
  readonly member: string;
  readonly members: (page: HistoryPage) => Members;
};

/** A page of rows of products, by bucket or by day, counted from the newest. */
export type ProductHistoryAnswer = {
  readonly kind: 'product_history';
  readonly history: (asked: Asked) => AnyHistory;
  /** The stored form of a row that is sent. */
  readonly form: (asked: Asked) => number;
  /** Which rows are shown without a date and a range. */
  readonly byDefault: 'all' | 'newest_date';
  readonly sent: 'newest_first' | 'oldest_first';
  /** Whether a product without a registry is missed for it. */
  readonly needsRegistry: boolean;
  /** The object whose members stand around the rows; null without one. */
  readonly around: AnySingle | null;
  readonly member: string;
  readonly members: (page: ProductPage) => Members;
};

/** An answer that is put together by code of its own in `serve/find`. */
export type OwnAnswer = { readonly kind: 'own'; readonly finder: OwnFinder };
export type OwnFinder =
  | 'alpha_audit'
  | 'calculation_history'
  | 'company_report'
  | 'daily_changes'
  | 'daily_evidence'
  | 'etf_audit'
  | 'etf_audit_export';

/** How a paid route is answered. */
export type StoredAnswer = ObjectAnswer | ListAnswer | HistoryAnswer | ProductHistoryAnswer | OwnAnswer;

/** Discovery documents by their names in `/ready` (I4.F10.1). */
const documentName = z.enum([
  'pricing',
  'fields',
  'help',
  'openapi',
  'llms',
  'well_known_x402',
  'mcp_card',
  'workflows',
  'did',
  'agent_card',
  'registry_entry',
  'robots',
  'icon',
  'reference',
]);

/** How a free route is answered that is no list: by a document made at start, or by what is computed for each call. */
export const plainAnswer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('document'),
    document: documentName,
    /** JSON unless it is given. */
    mediaType: z.exactOptional(z.enum(['text/plain', 'text/html', 'image/vnd.microsoft.icon'])),
  }),
  z.strictObject({
    kind: z.enum(['index', 'sample', 'manifest', 'health', 'ready', 'security', 'grants', 'checkout']),
  }),
]);

export type DocumentName = z.infer<typeof documentName>;
export type FreeAnswer = ListAnswer | z.infer<typeof plainAnswer>;

type Members = Readonly<Record<string, CanonicalValue | undefined>>;

/** Which rows of a list are shown. */
export type Filter<Column extends string = string> = {
  /** Parameters it reads; those that were sent are shown in the answer. */
  readonly params: readonly string[];
  readonly column: Column;
  /** What the column must say of a row; null when every row passes. */
  readonly condition: (asked: Asked) => ((value: ListCell) => boolean) | null;
};

/** A page of a list, as its members are made from it. */
export type ListPage<Meta> = {
  /** `source_date` of the release. */
  readonly slice: string;
  readonly page: {
    readonly total: number;
    readonly limit: number;
    readonly offset: number;
    readonly count: number;
  };
  /** Filter parameters that were sent with another value than their default. */
  readonly filters: Readonly<Record<string, string | number | boolean>>;
  /** What holds for the whole list. */
  readonly stored: Meta;
  readonly asked: Asked;
  /** What a column of the store says of the rows of the page. */
  readonly cells: (column: string) => readonly ListCell[];
};

/** A page of a history: a list of one issuer. */
export type HistoryPage = Omit<ListPage<Coverage>, 'filters' | 'cells'> & {
  /** Bounds that were sent. */
  readonly filters: Readonly<Record<string, string>>;
  readonly issuer: { readonly ticker: string; readonly cik: string; readonly asked: string };
};

/** A page of rows of products. */
export type ProductPage = Pick<ListPage<never>, 'slice' | 'page' | 'asked'> & {
  /** Products, dates and bounds that were sent, by canonical value. */
  readonly filters: Readonly<Record<string, string>>;
  readonly methodVersion: string;
  /** Dates of the rows of the page, newest first. */
  readonly sourceDates: readonly string[];
  readonly status: 'complete' | 'partial';
  readonly persistence: Pick<Persistence, 'first_bucket_utc' | 'last_bucket_utc'>;
};

/** How far the history of one issuer reaches. */
export type Coverage = {
  readonly first_source_date: string;
  readonly last_source_date: string;
  /** Promoted slices between the two without a row of it. */
  readonly missing_source_date_count: number;
};

/** An answer that one stored artifact is; a payload with rows beside its object is found there in backfilled releases. */
export function storedObject({
  stored: { object, rows },
  formats = {},
  serveTime = null,
  counted = [],
  newest = null,
  miss = null,
  picked = null,
  sources = {},
  unsourced = 'not_published',
}: {
  stored: { readonly object: AnySingle; readonly rows?: AnyRowStore };
} & Partial<Omit<ObjectAnswer, 'kind' | 'stored' | 'rows'>>): ObjectAnswer {
  return {
    kind: 'object',
    stored: object,
    rows: rows ?? null,
    formats,
    serveTime,
    counted,
    newest,
    miss,
    picked,
    sources,
    unsourced,
  };
}

/** A list; the members around its rows are those of the payload. */
export function list<Schema extends z.ZodObject, Store extends AnyRowStore, Member extends string>({
  rows,
  filters = [],
  member,
  members,
  picked = () => null,
  lacking,
}: {
  payload: { readonly schema: Schema };
  rows: Store;
  filters?: readonly Filter<ColumnOf<Store>>[];
  member: Member;
  members: (page: ListPage<MetaOf<Store>>) => Omit<z.output<Schema>, Member>;
  picked?: ListAnswer['picked'];
  lacking?: string;
}): ListAnswer {
  return {
    kind: 'list',
    rows: rows ?? null,
    filters,
    member,
    members: members as ListAnswer['members'],
    picked,
    lacking: lacking ?? null,
  };
}

/** A history; the members around its rows are those of the payload. */
export function history<Schema extends z.ZodObject, Member extends string>({
  history: stored,
  member,
  members,
}: {
  payload: { readonly schema: Schema };
  history: AnyHistory;
  member: Member;
  members: (page: HistoryPage) => Omit<z.output<Schema>, Member>;
}): HistoryAnswer {
  return { kind: 'history', history: stored, member, members: members as HistoryAnswer['members'] };
}

/** A history of products; the members around its rows are those of the payload, but for those of the object `around`. */
export function productHistory<Schema extends z.ZodObject, Member extends string>({
  members,
  ...answer
}: Omit<ProductHistoryAnswer, 'kind' | 'members' | 'member' | 'around' | 'needsRegistry'> & {
  payload: { readonly schema: Schema };
  member: Member;
  around?: AnySingle;
  needsRegistry?: boolean;
  members: (page: ProductPage) => Partial<Omit<z.output<Schema>, Member>>;
}): ProductHistoryAnswer {
  const { payload: _, around = null, needsRegistry = false, ...stated } = answer;
  return {
    kind: 'product_history',
    ...stated,
    around,
    needsRegistry,
    members: members as ProductHistoryAnswer['members'],
  };
}

/** An answer with code of its own. */
export const own = (finder: OwnFinder): OwnAnswer => ({ kind: 'own', finder });
