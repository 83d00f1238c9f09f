/** How clients of MPP name a payment of x402, whose challenge they read as one of this method. */
const x402Offer = { method: 'evm', intent: 'charge' };

type Offer = { readonly method: string; readonly intent: string };
type Preference = Offer & { readonly weight: number };

/**
 * Whether a request says by `Accept-Payment` that it pays with our method of MPP and not with x402: a challenge by status
 * and header is then of no use to it (P10.5a). Without the header, and where it cannot be read, it says nothing.
 */
export function paysMppAlone(lines: readonly string[] | undefined, method: string): boolean {
  const preferences = (lines ?? []).join(',').split(',').map(preferenceOf);
  if (!preferences.every((one) => one !== null)) return false;
  return admits(preferences, { method, intent: 'charge' }) && !admits(preferences, x402Offer);
}

// an entry that is more specific counts before one with a greater weight, as in the reference client
function admits(preferences: readonly Preference[], offer: Offer): boolean {
  const fitting = preferences.filter(
    ({ method, intent }) =>
      (method === '*' || method === offer.method) && (intent === '*' || intent === offer.intent),
  );
  const [best] = fitting.sort((a, b) => specificity(b) - specificity(a) || b.weight - a.weight);
  return best !== undefined && best.weight > 0;
}

function specificity({ method, intent }: Offer): number {
  return Number(method !== '*') + Number(intent !== '*');
}

/** One entry, `tempo/charge` or `tempo/*;q=0.5`; null for anything else. */
function preferenceOf(text: string): Preference | null {
  const [, method, intent, weight = '1'] =
    /^ *([a-z0-9-]+|\*) *\/ *([a-z0-9-]+|\*) *(?:; *q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))? *$/.exec(text) ?? [];
  return method === undefined || intent === undefined ? null : { method, intent, weight: Number(weight) };
}
