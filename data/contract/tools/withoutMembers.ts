/** The text of an object without its closing brace, and which of its members were cut out of it. */
export type CutText = { readonly open: string; readonly cut: readonly string[] };

/**
 * Cuts members out of the text of a JSON object that lacks its closing brace; what is left keeps its digits and its order. The
 * text is one that this program wrote: without spaces, each name once.
 */
export function withoutMembers(text: string, names: readonly string[]): CutText {
  const kept: string[] = [];
  const cut: string[] = [];
  for (let at = 1; at < text.length; ) {
    const colon = endOfString(text, at);
    const end = endOfValue(text, colon + 1);
    const name: string = JSON.parse(text.slice(at, colon));
    if (names.includes(name)) cut.push(name);
    else kept.push(text.slice(at, end));
    at = end + 1;
  }
  return { open: `{${kept.join(',')}`, cut };
}

/** Where the string ends that begins at a quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** Where a value ends: at the comma or brace of the object around it. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const sign = text[at];
    if (sign === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (depth === 0 && (sign === ',' || sign === '}')) return at;
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    at += 1;
  }
  return text.length;
}
