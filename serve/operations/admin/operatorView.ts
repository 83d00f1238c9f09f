import type { Ready } from '../../../data/contract/emit/operations.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { AuditStatus } from '../../../data/contract/payloads/audit/auditStatus.ts';
import type { SliceFreshness } from '../../../data/contract/payloads/universe/readiness.ts';
import type { LastRun, WithdrawnSlice } from '../../../data/contract/release/releaseFiles.ts';
import type { LedgerFigures } from '../../ledger/port/day.ts';
import type { LedgerHealth } from '../../ledger/port/ledger.ts';
import type { BreakerLine } from '../../payments/composePayments.ts';
import type { RemoteState } from '../../store/artifactStore.ts';

// what the operator sees; one half of it may be away while the other is shown

/** A part of the view, or why it is not there. */
export type Part<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** One promoted release. */
export type ReleaseLine = {
  readonly sourceDate: string;
  readonly name: string;
  readonly generatedAt: string;
  readonly sliceStatus: 'complete' | 'partial';
  readonly artifactCount: number;
  readonly manifestSha256: string;
  readonly rowStoresOnly: boolean;
  readonly current: boolean;
};

export type OperatorView = {
  readonly atMs: number;
  /** When releases, freshness, audit and the figures of the ledger were read; the rest is of `atMs`. */
  readonly readMs: number;
  readonly ready: Part<Ready>;
  readonly releases: Part<{
    /** Number of source dates with a promoted release. */
    readonly dates: number;
    /** The newest of them, newest first. */
    readonly newest: readonly Part<ReleaseLine>[];
    readonly current: ReleaseLine | null;
    /** Dates that answer no more, newest first. */
    readonly withdrawn: readonly WithdrawnSlice[];
  }>;
  /** Age of the current slice beside the age from which `/v1/readiness` calls it stale; null while none is promoted. */
  readonly freshness: Part<SliceFreshness | null>;
  readonly lastRun: Part<LastRun | null>;
  /** null: no audit was written yet. */
  readonly audit: Part<AuditStatus | null>;
  readonly health: Part<LedgerHealth>;
  readonly figures: Part<LedgerFigures>;
  readonly ledger: {
    readonly address: string;
    /** Free bytes of its disk; null when it is a database server's. */
    readonly freeBytes: number | null;
  };
  /** How a store behind the network does; null for a directory. */
  readonly remote: RemoteState | null;
  readonly breakers: readonly BreakerLine[];
  readonly signatures: string | null;
};

/** A part of what `make` answers; a failure becomes its sentence. */
export async function partOf<T>(make: () => Promise<T> | T): Promise<Part<T>> {
  try {
    return { ok: true, value: await make() };
  } catch (error) {
    // only our own sentences are shown: another error may name what is none of a page's business
    return { ok: false, why: error instanceof IssuerError ? error.message : 'It cannot be read.' };
  }
}
