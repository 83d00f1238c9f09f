import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { EntryFault } from '../zip/zipEntry.ts';
import { XmlFault } from './xmlFault.ts';

/** Reason why a file's content is not used; rethrows whatever is not the content's fault. */
export function readingFault(error: unknown): string {
  if (error instanceof XmlFault || error instanceof EntryFault) return error.message;
  if (error instanceof IssuerError) return error.message;
  throw error;
}
