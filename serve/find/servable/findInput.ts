import type { Route } from '../../../data/contract/routes/route.ts';
import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import type { Params } from '../../routing/readParams.ts';
import type { Snapshot } from '../../store/artifactStore.ts';
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
