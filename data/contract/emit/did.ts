/** The decentralized identifier of a deployment: its public origin, by the method `web`. */
export function didOf(baseUrl: string): string {
  // a port is part of the name, its colon written out
  return `did:web:${encodeURIComponent(new URL(baseUrl).host)}`;
}
