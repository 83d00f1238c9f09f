import { type AnyRowStore, type AnySingle, variantOf } from '../../../data/contract/payloads/stored.ts';
import type { Route } from '../../../data/contract/routes/route.ts';
import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import { normalizedQuery, type Params } from '../../routing/readParams.ts';
import type { Release, Snapshot } from '../../store/artifactStore.ts';
import type { ByteCache } from '../../store/byteCache.ts';
import type { Servable } from './servable.ts';

/** What the look-up stage is asked (I4.7 step 5). */
export type FindInput = {
  readonly route: Route;
  readonly params: Params;
  readonly snapshot: Snapshot;
  readonly cache: ByteCache<Servable>;
};

/** What it found, and how the issuer was named (I4.31 `lookup`). */
export type Found = {
  readonly servable: Servable;
  readonly lookup: ResolvedIssuer['lookup'] | null;
  /** Where the servable lies in the cache. */
  readonly cacheKey: string;
};

/** What an artifact key is built from: slice, subject, and parameters by their names, all validated before (I4.33). */
export type KeyParts = Readonly<Record<string, string>>;

/** The key of a stored artifact or row store for one request. */
export function artifactKey(stored: AnySingle | AnyRowStore, params: Params, subject: KeyParts): string {
  const variants = 'variants' in stored ? stored.variants : undefined;
  const variant = variants === undefined ? '' : variantOf({ variants }, (flag) => isAsked(params, flag));
  const asked = [...params.values].map(([name, value]) => [name, String(value)]);
  const parts: KeyParts = { ...Object.fromEntries(asked), ...subject, variant };
  // every definition takes its own choice of these
  return stored.key(parts as never);
}

function isAsked({ values }: Params, flag: string): boolean {
  const [name = '', value = true] = flag.split('=');
  return values.get(name) === value;
}

/**
 * A view of one release, made once per normalized query.
 *
 * @param about what the view depends on beside query and body: an issuer, the label that was asked
 */
export async function cachedView(
  input: FindInput,
  { release, about = '', lookup = null }: { release: Release; about?: string; lookup?: Found['lookup'] },
  make: (view: string) => Promise<Servable>,
): Promise<Found> {
  // the release already says which slice it is, so the selector of the slice is no part of the view
  const { values, given, givenInBody } = input.params;
  const sent = [...given, ...(givenInBody ?? [])].filter(
    (name) => name !== 'source_date' || selectsRows(input),
  );
  const view = `${about}${normalizedQuery({ values, given: sent })}`;
  const cacheKey = `${release.name} ${input.route.id} ${view}`;
  const hot = input.cache.get(cacheKey);
  if (hot !== undefined) return { servable: hot, lookup, cacheKey };
  const servable = await make(view);
  // room for the codings a client may still ask for
  input.cache.set(cacheKey, servable, servable.body.length * 2 + 4096);
  return { servable, lookup, cacheKey };
}

// where a range may be asked for, source_date picks rows of one release instead of a release
function selectsRows({ route }: FindInput): boolean {
  return route.params.some((param) => param.name === 'source_date_from');
}
