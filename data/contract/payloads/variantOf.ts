/** The variant of an object that these flags and values of the query select; the empty text without one. */
export function variantOf(
  { variants }: { readonly variants: Readonly<Record<string, string>> },
  isAsked: (flag: string) => boolean,
): string {
  const asked = Object.entries(variants).filter(([flag]) => isAsked(flag));
  return asked.map(([, suffix]) => suffix).join('');
}
