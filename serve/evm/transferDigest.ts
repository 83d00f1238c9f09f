import { bytesOfHex, keccak256 } from './ethereumBytes.ts';

/** The EIP-712 domain a transfer is signed in: the token for exact, the GatewayWallet for the gateway (P2.21). */
export type SigningDomain = {
  readonly name: string;
  readonly version: string;
  readonly chainId: bigint;
  readonly verifyingContract: string;
};

/** What the payer signs; addresses and nonce are lower-case hex, times are seconds (EIP-3009). */
export type TransferAuthorization = {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: string;
};

const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const transferType =
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)';
const wordBytes = 32;

/** Hash of the domain, the same for every payment of a deployment (EIP-712). */
export function domainSeparator(domain: SigningDomain): Uint8Array {
  const words = Buffer.alloc(5 * wordBytes);
  words.set(keccak256(Buffer.from(domainType)), 0);
  words.set(keccak256(Buffer.from(domain.name)), wordBytes);
  words.set(keccak256(Buffer.from(domain.version)), 2 * wordBytes);
  writeWord(words, 3, domain.chainId.toString(16));
  writeWord(words, 4, domain.verifyingContract.slice(2));
  return keccak256(words);
}

/**
 * Prepares the digest of transfers in one domain: separator and type hash are written once, one buffer is reused
 * for every payment (P2.21). The returned bytes are fresh.
 */
export function transferDigest(domain: SigningDomain): (transfer: TransferAuthorization) => Uint8Array {
  const struct = Buffer.alloc(7 * wordBytes);
  struct.set(keccak256(Buffer.from(transferType)), 0);
  const envelope = Buffer.alloc(2 + 2 * wordBytes);
  envelope[0] = 0x19;
  envelope[1] = 0x01;
  envelope.set(domainSeparator(domain), 2);
  return (transfer) => {
    writeWord(struct, 1, transfer.from.slice(2));
    writeWord(struct, 2, transfer.to.slice(2));
    writeWord(struct, 3, transfer.value.toString(16));
    writeWord(struct, 4, transfer.validAfter.toString(16));
    writeWord(struct, 5, transfer.validBefore.toString(16));
    struct.set(bytesOfHex(transfer.nonce), 6 * wordBytes);
    envelope.set(keccak256(struct), 2 + wordBytes);
    return keccak256(envelope);
  };
}

// left padded to 32 bytes (EIP-712 encodeData)
function writeWord(target: Buffer, index: number, hex: string): void {
  target.write(hex.padStart(2 * wordBytes, '0'), index * wordBytes, wordBytes, 'hex');
}
