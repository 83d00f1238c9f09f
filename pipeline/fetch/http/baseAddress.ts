import { IssuerError } from '../../../data/contract/errors/issuerError.ts';

/**
 * Parses a base address; plain http is for loopback only.
 *
 * @throws IssuerError `configuration` for anything else.
 */
export function requireBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const loopback = url !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && loopback))) return url;
  throw new IssuerError({
    code: 'configuration',
    message: `${text.slice(0, 200)} is not an https address.`,
    hint: 'Give an https:// base address; http is accepted for 127.0.0.1 only.',
  });
}
