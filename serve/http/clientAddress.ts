import { BlockList, isIP } from 'node:net';

/** Whom a request comes from, and whether it came over TLS as far as we can trust that (I8.7, I9.33). */
export type Origin = { readonly address: string; readonly tls: boolean };

/**
 * Reads the client address: the connection's, or the nearest untrusted hop of `X-Forwarded-For` (or `Forwarded`)
 * when the connection comes from a trusted proxy (I8.7).
 */
export function clientOrigin(
  trusted: readonly string[],
): (input: {
  remoteAddress: string;
  forwardedFor: string | undefined;
  forwarded: string | undefined;
  forwardedProto: string | undefined;
}) => Origin {
  const list = new BlockList();
  for (const entry of trusted) {
    const [ip = '', prefix] = entry.split('/');
    const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(ip, family);
    else list.addSubnet(ip, Number(prefix), family);
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return ({ remoteAddress, forwardedFor, forwarded, forwardedProto }) => {
    const remote = plain(remoteAddress);
    if (trusted.length === 0 || !isTrusted(remote)) return { address: remote, tls: false };
    const hops = forwardedFor !== undefined ? forwardedFor.split(',') : forwardedHops(forwarded);
    const proto = forwardedProto ?? /proto="?(\w+)/i.exec(forwarded ?? '')?.[1];
    // hops are appended on the way, so the last one a trusted proxy did not write itself is the client
    const client = hops
      .map((hop) => plain(hop.trim()))
      .toReversed()
      .find((hop) => !isTrusted(hop));
    return {
      address: client !== undefined && isIP(client) !== 0 ? client : remote,
      tls: proto?.split(',').at(-1)?.trim().toLowerCase() === 'https',
    };
  };
}

/** Whom a limit counts: an IPv4 address, or the /64 of an IPv6 one, whose holder has the 2^64 addresses beside it. */
export function networkOf(address: string): string {
  return networksOf(address).at(-1) ?? address;
}

/** The same, and before it the /48 of an IPv6 address, which one holder may have whole: 65,536 networks of /64. */
export function networksOf(address: string): readonly string[] {
  // holders of limits that are no addresses pass as they are
  if (!address.includes(':') || isIP(address) !== 6 || address.includes('.')) return [address];
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const groups = [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16).toString(16));
  return [`${groups.slice(0, 3).join(':')}::/48`, `${groups.slice(0, 4).join(':')}::/64`];
}

function forwardedHops(forwarded: string | undefined): string[] {
  return (forwarded ?? '').split(',').map((element) => /for="?\[?([^;"\]]+)/i.exec(element)?.[1] ?? '');
}

function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
