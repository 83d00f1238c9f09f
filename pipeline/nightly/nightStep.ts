import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { BriefRenderer } from '../briefs/renderBriefs.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import type { Night, NightSource } from '../source/nightSource.ts';
import type { Journal } from './plan/journal.ts';
import type { NightPlan } from './plan/nightPlan.ts';

export const nightSteps = ['fetch', 'ingest', 'compute', 'publish'] as const;
export type NightStep = (typeof nightSteps)[number];

export type NightRequest = {
  readonly night: Night;
  readonly source: NightSource;
  readonly layout: DataLayout;
  readonly steps: ReadonlySet<NightStep>;
  /** Runs the steps even when their inputs are unchanged. */
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Version of the program (M0.1: same inputs, same code, same bytes). */
  readonly code: string;
  /** What chooses the sentences of briefs (M11.5). */
  readonly renderer?: BriefRenderer;
  readonly signal: AbortSignal;
};

export type StepReport = {
  readonly step: NightStep;
  readonly status: 'done' | 'skipped' | 'would run';
  readonly message: string;
};

export type Report = (step: NightStep, status: StepReport['status'], message: string) => void;

/** What the steps after fetch share. */
export type NightRun = NightRequest & {
  readonly effects: StoreEffects;
  readonly journal: Journal;
  readonly plan: NightPlan;
  readonly report: Report;
};

/** The words a skipped step says. */
export function unchanged(key: string): string {
  return `unchanged (sha256 ${key.slice(0, 12)})`;
}

/** @throws IssuerError `interrupted` once the user asked to stop. */
export function stopIfAsked(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new IssuerError({
    code: 'interrupted',
    message: 'The night was interrupted.',
    hint: 'Nothing is half-done; run the same command again to go on.',
  });
}
