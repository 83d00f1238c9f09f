/** Prints one JSON object on a line. */
export function printLine(effects: { readonly write: (text: string) => void }, value: unknown): void {
  effects.write(`${JSON.stringify(value)}\n`);
}
