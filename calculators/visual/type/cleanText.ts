// C0 and C1 controls, direction marks and embeddings, noncharacters that XML does not allow
const unsafe =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;
const breaks = /[\t\n\u000b\f\r ]+/g;

/** A text as it is drawn: white space is one space, control and direction-turning characters are U+FFFD (V12). */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').replace(unsafe, '\ufffd').trim();
}
