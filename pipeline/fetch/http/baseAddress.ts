import { IssuerError } from '../../../data/contract/errors/issuerError.ts';

const loopbackNames = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Parses a base address; plain http is for loopback only.
 *
 * @throws IssuerError `configuration` for anything else.
 */
export function requireBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const loopback = url !== null && loopbackNames.includes(url.hostname);
  if (url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && loopback))) return url;
  throw new IssuerError({
    code: 'configuration',
    message: `${text.slice(0, 200)} is not an https address.`,
    hint: 'Give an https:// base address; http is accepted for 127.0.0.1 only.',
  });
}

/** Stand-ins of the sources a night asks, for rehearsals; undefined asks the real one. */
export type StandIns = {
  readonly edgarUrl?: string;
  readonly priceUrl?: string;
  /** One server for every venue. */
  readonly venueUrl?: string;
};

/**
 * Reads `II_EDGAR_URL`, `II_COINGECKO_URL` and `II_VENUE_URL`. They are for rehearsals on this machine: a night that took
 * figures from another host would publish them under the name of SEC.
 *
 * @throws IssuerError `configuration` for an address that is not on loopback.
 */
export function standIns(environment: Readonly<Record<string, string | undefined>>): StandIns {
  const read = (name: string): string | undefined => {
    const text = environment[name];
    if (text === undefined || text === '') return undefined;
    const host = URL.canParse(text) ? new URL(text) : null;
    if (host?.protocol === 'http:' && loopbackNames.includes(host.hostname)) return text;
    throw new IssuerError({
      code: 'configuration',
      message: `${name} is ${text.slice(0, 200)}, which is not on this machine.`,
      hint: 'It names a stand-in for rehearsals, http://127.0.0.1:<port>; unset it to ask the real source.',
    });
  };
  const [edgarUrl, priceUrl, venueUrl] = ['II_EDGAR_URL', 'II_COINGECKO_URL', 'II_VENUE_URL'].map(read);
  return {
    ...(edgarUrl === undefined ? {} : { edgarUrl }),
    ...(priceUrl === undefined ? {} : { priceUrl }),
    ...(venueUrl === undefined ? {} : { venueUrl }),
  };
}
