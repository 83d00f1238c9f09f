import type { z } from 'zod';
import type { LastRun } from '../release/releaseFiles.ts';

/** What is known when an answer leaves. */
export type ServeMoment = {
  readonly nowMs: number;
  readonly latencyMs: number;
  /** How the last night ended; null unless the payload shows it, or when there was none. */
  readonly lastRun: LastRun | null;
};

/** The serve-time members of one stored payload: reserved names that follow its own members (I4.29). */
export type ServeTimeMembers = {
  readonly showsLastRun: boolean;
  /** The members of one answer, outside payload hash and entity tag. */
  at(moment: ServeMoment): Readonly<Record<string, unknown>>;
};

/** The serve-time members of a payload, and what they depend on. */
export type ServeTime = {
  readonly names: readonly string[];
  readonly showsLastRun: boolean;
  /**
   * Reads what it needs of the stored payload, once a release.
   *
   * @throws ZodError when the payload does not say it
   */
  prepare(stored: unknown, release: { readonly sliceStatus: 'complete' | 'partial' }): ServeTimeMembers;
};

/** Defines serve-time members by the stored members they are made from and a pure function of the moment. */
export function serveTime<S extends z.ZodType, const Name extends string>({
  names,
  reads,
  showsLastRun,
  members,
}: {
  names: readonly Name[];
  reads: S;
  showsLastRun: boolean;
  members: (
    stored: z.output<S> & { readonly sliceStatus: 'complete' | 'partial' },
    moment: ServeMoment,
  ) => { readonly [N in Name]: unknown };
}): ServeTime {
  return {
    names,
    showsLastRun,
    prepare(stored, { sliceStatus }) {
      const read = { ...(reads.parse(stored) as object), sliceStatus } as z.output<S> & {
        sliceStatus: 'complete' | 'partial';
      };
      return { showsLastRun, at: (moment) => members(read, moment) };
    },
  };
}
