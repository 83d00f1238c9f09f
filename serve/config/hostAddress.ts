import { BlockList, isIP } from 'node:net';

// RFC 1918, RFC 4193, RFC 6598, link-local and loopback: addresses no router of the internet carries
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4');
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** True for an address the admin listener may have: it is never public (P0.6). A name could mean anything. */
export function isPrivateHost(host: string): boolean {
  if (host === 'localhost') return true;
  const family = isIP(host);
  return family !== 0 && privateNetworks.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * True when a `Host` field names an address instead of a name. A page in the operator's browser can give a name of
 * its own the address of this listener, and would then read it as its own; it cannot do so with an address.
 */
export function isAddressedHost(field: string | undefined): boolean {
  const host = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(field ?? '');
  const name = host?.[1] ?? host?.[2];
  return name !== undefined && (name.toLowerCase() === 'localhost' || isIP(name) !== 0);
}

/** True for a host name or address that never leaves this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
