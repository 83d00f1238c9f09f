/** The text of an object without its closing brace, and which of its members were cut out of it. */
export type CutText = { readonly open: string; readonly cut: readonly string[] };

/**
 * Cuts members out of the text of a JSON object that lacks its closing brace; what is left keeps its digits and its order. The
 * text is one that this program wrote: without spaces, each name once.
 */
export function withoutMembers(text: string, names: readonly string[]): CutText {
  const all = membersOf(text);
  const kept = all.filter(({ name }) => !names.includes(name));
  return {
    open: `{${kept.map((member) => member.text).join(',')}`,
    cut: all.map(({ name }) => name).filter((name) => names.includes(name)),
  };
}

/** Which members of the rows of a list are left: the others are for a call that asks for all. */
export type ShortRows = { readonly list: string; readonly keep: readonly string[] };

/** Shortens the rows of a list in such a text; `cut` is empty where no row had more. */
export function withShortRows(text: string, { list, keep }: ShortRows): CutText {
  const cut = new Set<string>();
  const members = membersOf(text).map(({ name, text: member }) => {
    const start = member.indexOf(':') + 1;
    if (name !== list || member[start] !== '[') return member;
    const rows = elementsOf(member.slice(start)).map((row) => {
      const more = membersOf(row.slice(0, -1))
        .map(({ name: own }) => own)
        .filter((own) => !keep.includes(own));
      for (const own of more) cut.add(own);
      return `${withoutMembers(row.slice(0, -1), more).open}}`;
    });
    return `${member.slice(0, start)}[${rows.join(',')}]`;
  });
  return { open: `{${members.join(',')}`, cut: [...cut] };
}

function membersOf(text: string): { readonly name: string; readonly text: string }[] {
  const members = [];
  for (let at = 1; at < text.length; ) {
    const colon = endOfString(text, at);
    const end = endOfValue(text, colon + 1);
    members.push({ name: JSON.parse(text.slice(at, colon)) as string, text: text.slice(at, end) });
    at = end + 1;
  }
  return members;
}

/** The elements of the text of an array. */
function elementsOf(text: string): string[] {
  const elements = [];
  for (let at = 1; at < text.length - 1; ) {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    at = end + 1;
  }
  return elements;
}

/** Where the string ends that begins at a quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** Where a value ends: at the comma, brace or bracket of what is around it. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const sign = text[at];
    if (sign === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (depth === 0 && (sign === ',' || sign === '}' || sign === ']')) return at;
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    at += 1;
  }
  return text.length;
}
