import { Worker } from 'node:worker_threads';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { FiguresInput, LedgerFigures } from '../../port/figures.ts';

/**
 * Reads the figures in a thread that ends with them: neither the writer nor a request waits for it. After
 * `withinMs` it is ended.
 *
 * @throws IssuerError `settlement_unavailable` when the ledger cannot be read, or not in time.
 */
export function readFigures({
  path,
  nowMs,
  withinMs,
}: FiguresInput & { readonly path: string }): Promise<LedgerFigures> {
  const worker = new Worker(new URL('./figuresThread.ts', import.meta.url), {
    workerData: { path, nowMs },
    name: 'ledger-figures',
  });
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      reject(unreadable('The figures of the ledger took too long.', undefined));
      void worker.terminate();
    }, withinMs);
    worker.once('message', (figures: LedgerFigures) => resolve(figures));
    worker.once('error', (cause) => reject(unreadable('The ledger cannot be read.', cause)));
    worker.once('exit', () => {
      clearTimeout(limit);
      reject(unreadable('The figures of the ledger were not finished.', undefined));
    });
  });
}

function unreadable(message: string, cause: unknown): IssuerError {
  return new IssuerError({ code: 'settlement_unavailable', message, hint: 'Try again later.', cause });
}
