import { canonicalJson } from './canonicalJson.ts';

/** Members of an object by name, each printed in the form `canon-1`. */
export type PrintedMembers = Readonly<Record<string, string>>;

/** Prints each member of an object by itself, so that what several objects share is printed once. */
export function printedMembers(value: object): PrintedMembers {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, canonicalJson(member)]));
}

/** The object of printed members, as {@link canonicalJson} prints it (I4.32). */
export function canonicalObject(members: PrintedMembers): string {
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${canonicalJson(name)}:${members[name]}`).join(',')}}`;
}
