import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { EntryFault } from '../zip/zipEntry.ts';

/** A document that is not read, and why; the message is the reason shown as the filing's defect. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

/** Text of an untrusted document as it may stand in a reason: printable ASCII, at most `length` characters. */
export function shownText(text: string, length = 80): string {
  const printable = text.slice(0, length + 1).replace(/[^\x20-\x7e]/g, '?');
  return printable.length > length ? `${printable.slice(0, length)}…` : printable;
}

/** Reason why a file's content is not used; rethrows all that is not the content's fault. */
export function readingFault(error: unknown): string {
  if (error instanceof XmlFault || error instanceof EntryFault) return error.message;
  if (error instanceof IssuerError) return error.message;
  throw error;
}
