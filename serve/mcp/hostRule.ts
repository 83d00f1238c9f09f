import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { isLoopback } from '../config/hostAddress.ts';
import type { HeaderLists } from '../exchange.ts';

/** Which hosts and origins may call tools. */
export type HostPolicy = {
  /** The listener is a loopback address. */
  readonly loopback: boolean;
  /** Host of the public origin. */
  readonly baseHost: string;
  /** Further names in `Host`. */
  readonly hosts: readonly string[];
  /** Origins a browser may call from; null: any. */
  readonly origins: readonly string[] | null;
};

/**
 * Refuses a call that a page in a browser was tricked into: one that names this machine by a foreign name, or comes from
 * a foreign page to a loopback address (I4.MCP.3). Behind a proxy the public name counts for every listener.
 *
 * @throws IssuerError `origin_not_allowed`
 */
export function hostRule({ loopback, baseHost, hosts, origins }: HostPolicy): (headers: HeaderLists) => void {
  const named = new Set([baseHost, ...hosts].map(withoutDefaultPort));
  const listed = origins === null ? null : new Set(origins);
  return (headers) => {
    const host = headers['host']?.[0];
    const here = host !== undefined && loopback && isLoopback(hostname(host));
    if (host !== undefined && !here && !named.has(withoutDefaultPort(host))) throw refused('Host');
    const origin = headers['origin']?.[0];
    if (origin === undefined) return;
    if (listed !== null) {
      if (!listed.has(origin)) throw refused('Origin');
      return;
    }
    const isLocal = host === undefined || isLoopback(hostname(host));
    if (loopback && isLocal && !isLocalOrigin(origin)) throw refused('Origin');
  };
}

function withoutDefaultPort(host: string): string {
  return host.toLowerCase().replace(/:(?:80|443)$/, '');
}

function isLocalOrigin(origin: string): boolean {
  const host = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];
  return host !== undefined && isLoopback(hostname(host));
}

function hostname(host: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(host)?.[1];
  return (bracketed ?? host.replace(/:\d+$/, '')).toLowerCase();
}

function refused(name: string): IssuerError {
  return new IssuerError({
    code: 'origin_not_allowed',
    message: `Tools cannot be called with this ${name}.`,
    hint: 'Call the public address of the service, or a loopback address from this machine.',
  });
}
