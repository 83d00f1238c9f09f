/** A document that is not read, and why; the message is the reason shown as the filing's defect. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

/** Text of an untrusted document as it may stand in a reason: printable ASCII, at most `length` characters. */
export function shownText(text: string, length = 80): string {
  const printable = text.slice(0, length + 1).replace(/[^\x20-\x7e]/g, '?');
  return printable.length > length ? `${printable.slice(0, length)}…` : printable;
}
