/** A token with EIP-3009 transfers, and what its signatures are made over (EIP-712). */
export type KnownToken = { readonly address: string; readonly name: string; readonly version: string };

/** A chain the x402 rail knows. */
export type KnownNetwork = {
  readonly title: string;
  /** Its coins are worth nothing. */
  readonly test: boolean;
  readonly usdc: KnownToken;
};

/**
 * USDC by CAIP-2 chain. Addresses: Circle, "USDC contract addresses",
 * https://developers.circle.com/stablecoins/usdc-contract-addresses. Names and versions: the table of default assets
 * of the reference package @x402/evm 2.27.0, whose entry for Monad was corrected by the separator on chain
 * (https://github.com/x402-foundation/x402/pull/3105). The name is not the same everywhere, and a copied one makes
 * every signature fail. All have six decimals, so a base unit is a micro-USD.
 */
const networks: ReadonlyMap<string, KnownNetwork> = new Map(
  Object.entries({
    'eip155:1': main('Ethereum', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USD Coin'),
    'eip155:137': main('Polygon', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USD Coin'),
    'eip155:143': main('Monad', '0x754704Bc059F8C67012fEd69BC8A327a5aafb603', 'USDC'),
    'eip155:8453': main('Base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USD Coin'),
    'eip155:42161': main('Arbitrum One', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USD Coin'),
    'eip155:43114': main('Avalanche', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 'USD Coin'),
    'eip155:84532': test('Base Sepolia', '0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC'),
    'eip155:421614': test('Arbitrum Sepolia', '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d', 'USD Coin'),
  }),
);

/** What base units of every price are: micro-USD (P0.2). */
export const priceDecimals = '6';

/**
 * Currencies of the MPP rail by chain, each with six decimals: the defaults of the reference library mppx 0.11.0,
 * https://docs.tempo.xyz; 1337 is a node of one's own (`tempo node --dev`).
 */
const tempoChains: ReadonlyMap<number, { readonly title: string; readonly currencies: readonly string[] }> =
  new Map([
    [
      4217,
      {
        title: 'Tempo',
        currencies: [
          '0x20C000000000000000000000b9537d11c60E8b50',
          '0x20c0000000000000000000000000000000000000',
        ],
      },
    ],
    [42431, { title: 'Tempo Moderato (test)', currencies: ['0x20c0000000000000000000000000000000000000'] }],
    [1337, { title: 'a Tempo node of your own', currencies: ['0x20c0000000000000000000000000000000000000'] }],
  ]);

/** Circle's GatewayWallet on every mainnet, and on every test network (P3.1). */
const gatewayWallets = {
  main: '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE',
  test: '0x0077777d7EBA4688BDeF3E311b846F25870A19B9',
} as const;

/** A chain by its CAIP-2 id; null for one the program does not know. */
export function knownNetwork(id: string): KnownNetwork | null {
  return networks.get(id) ?? null;
}

/** The chain whose USDC an address is; null for no token of the table. */
export function networkOfToken(address: string): string | null {
  return [...networks].find(([, { usdc }]) => sameAddress(usdc.address, address))?.[0] ?? null;
}

/** Whether a currency is a known one of its chain, of other chains only, or of none. */
export function currencyOn(chainId: number, address: string): 'known' | 'elsewhere' | 'unknown' {
  const lists = (id: number): boolean =>
    tempoChains.get(id)?.currencies.some((currency) => sameAddress(currency, address)) === true;
  if (lists(chainId)) return 'known';
  return [...tempoChains.keys()].some(lists) ? 'elsewhere' : 'unknown';
}

/** The published wallet of a chain's kind, where an address is that of the other kind; null when nothing is wrong. */
export function misplacedGatewayWallet(id: string, address: string): string | null {
  const network = knownNetwork(id);
  if (network === null) return null;
  const [right, wrong] = network.test
    ? [gatewayWallets.test, gatewayWallets.main]
    : [gatewayWallets.main, gatewayWallets.test];
  return sameAddress(address, wrong) ? right : null;
}

export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function main(title: string, address: string, name: string): KnownNetwork {
  return { title, test: false, usdc: { address, name, version: '2' } };
}

function test(title: string, address: string, name: string): KnownNetwork {
  return { ...main(title, address, name), test: true };
}

/** Names version 1 of the protocol has for chains. */
const v1Networks: Readonly<Record<string, string>> = {
  'eip155:8453': 'base',
  'eip155:84532': 'base-sepolia',
};

/** Name of a chain for version 1 clients; null when that version has none. */
export function v1NetworkOf(network: string): string | null {
  return v1Networks[network] ?? null;
}
