import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { StoreFault } from '../../data/store/storeFault.ts';
import { StoreAway } from './storeAway.ts';

/** The error of an artifact that exists and cannot be served (I4.9); `why` completes the sentence. */
export function unavailable(key: string, why: string, cause?: unknown): IssuerError {
  return new IssuerError({
    code: 'artifact_unavailable',
    message: `Artifact ${key} cannot be served: ${why}.`,
    hint: 'Try again later; the operator sees the same in /ready and the log.',
    details: { artifact_key: key },
    cause,
  });
}

/** The error of an artifact whose read failed: what is wrong with its bytes, or the read itself. */
export function unservable(key: string, cause: unknown): IssuerError {
  if (cause instanceof IssuerError) return cause;
  if (cause instanceof StoreAway) return unavailable(key, 'the object store does not answer', cause);
  return cause instanceof StoreFault ? unavailable(key, cause.message, cause) : unreadable(key, cause);
}

/** The error of a read that failed: load, where no file can be opened just now, which says nothing of the file. */
function unreadable(key: string, cause: unknown): IssuerError {
  return shortOfDescriptors(cause) ? overloadedStore(cause) : unavailable(key, 'it cannot be read', cause);
}

/** Whether the process or the machine has as many files and sockets open as it may. */
export function shortOfDescriptors(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'EMFILE' || cause.code === 'ENFILE');
}

export function overloadedStore(cause: unknown): IssuerError {
  return new IssuerError({
    code: 'overloaded',
    message: 'The server has too many connections open to read an artifact.',
    hint: 'Try again.',
    cause,
  });
}

/** Whether a read of the store was refused for load alone, so that what was known before still holds. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof IssuerError && error.code === 'overloaded';
}
