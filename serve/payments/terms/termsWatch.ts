import type { LedgerLog, LedgerTime } from '../../ledger/port/ledger.ts';
import type { Provider } from '../../ledger/port/payment.ts';

/**
 * What a provider says of our terms. `agreed`: it settles what we offer. `refused`: it says it does not. `unsaid`: it
 * answers and does not tell. `away`: it does not answer. `unasked`: it has not been asked yet.
 */
export type Terms = {
  readonly state: 'unasked' | 'agreed' | 'refused' | 'unsaid' | 'away';
  /** One sentence; null where there is nothing to say. */
  readonly detail: string | null;
};

/** Asks a provider whether it settles what we offer, apart from any request (P2.53). */
export type TermsWatch = {
  readonly provider: Provider;
  current(): Terms;
  /** False only while the provider says that it does not settle what we offer. */
  allows(): boolean;
  /** Asks now, and then now and again until the returned function is called. */
  start(): () => void;
};

/** A rail whose provider is asked nothing. */
export const unaskedTerms: Terms = { state: 'unasked', detail: null };

const againMs = 600_000;
const soonMs = 30_000;

/** Builds one around a single bounded question; questions of one watch never overlap. */
export function termsWatch({
  provider,
  ask,
  time,
  log,
  random,
}: {
  provider: Provider;
  ask(): Promise<Terms>;
  time: LedgerTime;
  log: LedgerLog;
  /** Between 0 and 1: servers that started together do not ask together. */
  random(): number;
}): TermsWatch {
  let terms = unaskedTerms;

  function note(found: Terms): void {
    const changed = found.state !== terms.state;
    terms = found;
    if (!changed) return;
    const fields = { provider, detail: found.detail };
    if (found.state === 'refused') log({ level: 'error', event: 'provider_refuses_terms', fields });
    else if (found.state === 'away') log({ level: 'warn', event: 'provider_away', fields });
    else log({ level: 'info', event: 'provider_terms', fields: { ...fields, state: found.state } });
  }

  return {
    provider,
    current: () => terms,
    allows: () => terms.state !== 'refused',
    start() {
      let stopped = false;
      let cancel = (): void => {};
      const round = async (): Promise<void> => {
        const found = await ask();
        if (stopped) return;
        note(found);
        const well = found.state === 'agreed' || found.state === 'unsaid';
        cancel = time.after(Math.round((well ? againMs : soonMs) * (0.8 + 0.4 * random())), next);
      };
      const next = (): void => {
        round().catch((error: unknown) =>
          log({ level: 'error', event: 'provider_terms_defect', fields: { error: String(error) } }),
        );
      };
      next();
      return () => {
        stopped = true;
        cancel();
      };
    },
  };
}
