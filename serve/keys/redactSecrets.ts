/**
 * Replaces API keys and grant tokens in text that is about to be logged, error texts included (P6.7, S16). Stops at
 * a quote or backslash, so that a JSON line stays one.
 */
export function redactSecrets(text: string): string {
  return text
    .replace(/iik_([A-Z2-7]{10})_[^\s"\\]+/g, 'apikey:$1')
    .replace(/ii1\.[^\s"\\]+/g, 'ii1.redacted');
}
