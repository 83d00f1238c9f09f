import { Errors } from 'mppx';
import { Mppx, tempo } from 'mppx/server';
import { BaseError, createClient, HttpRequestError, http, keccak256, TimeoutError } from 'viem';
import { getTransactionReceipt } from 'viem/actions';
import { Transaction } from 'viem/tempo';
import { tempo as tempoChain } from 'viem/tempo/chains';
import type { SettleOutcome } from '../settle/settleOutcome.ts';
import { credentialHeader } from './credential.ts';
import { type ChallengeParameters, challengeId, decimalUnits } from './mppChallenge.ts';
import type { ChargeCall, MppLibrary, Validation, ValidCharge, WorkerSettings } from './mppLibrary.ts';

/** What a node says of a transaction it will never execute; every other error says nothing of the payment. */
const nodeRefusals: Readonly<Record<string, string>> = {
  ExecutionRevertedError: 'execution_reverted',
  InsufficientFundsError: 'insufficient_funds',
  FeeCapTooLowError: 'fee_cap_too_low',
  IntrinsicGasTooLowError: 'gas_too_low',
  NonceTooLowError: 'nonce_too_low',
};

/**
 * The payment library behind our terms: it parses and validates transaction envelopes and sends them (P4.11, P4.13).
 * Challenges, replay protection and answers are not its business (P4.17).
 */
export function chargeLibrary(settings: WorkerSettings): Pick<MppLibrary, 'validate' | 'broadcast'> {
  const { terms } = settings;
  const { currency, chainId } = terms;
  // its syntax was checked with the configuration
  const recipient = terms.recipient as `0x${string}`;
  const client = createClient({
    chain: { ...tempoChain, id: chainId },
    transport: http(settings.rpcUrl, {
      timeout: settings.callMs,
      // a second try is decided by the ledger, never by a transport (P2.39)
      retryCount: 0,
      fetchOptions: { redirect: 'error' },
    }),
  });
  const serverOf = (secretKey: string) =>
    Mppx.create({
      secretKey,
      realm: terms.realm,
      methods: [tempo.charge({ currency, recipient, supportedModes: ['pull'], getClient: () => client })],
    });

  function open(call: ChargeCall) {
    const secret = settings.secrets.find((one) => challengeId(call.challenge, one) === call.challenge.id);
    if (secret === undefined) throw new RangeError('the challenge was not checked before');
    return {
      // its store of used hashes is of one call: the ledger's claim decides (P4.17)
      server: serverOf(secret),
      header: credentialHeader(call.challenge, call.transaction),
      // both, or a schema error comes instead of a payment error (P4.17)
      options: {
        meta: { f: call.fingerprint },
        request: {
          amount: decimalUnits(call.amountMicro),
          currency,
          recipient,
          decimals: 6,
          chainId,
          supportedModes: ['pull'],
        },
      },
    };
  }

  return {
    async validate(call) {
      const read = await readTransaction(call.transaction);
      if (read === null) return invalid('invalid_transaction');
      const fault = windowFault(read, call.challenge);
      if (fault !== null) return invalid(fault, read.sender);
      const { server, header, options } = open(call);
      try {
        await server.validateCredential(header, options);
      } catch (error) {
        const reason = error instanceof Errors.PaymentError ? wordsOf(error) : nodeRefusal(error);
        return reason === null ? { kind: 'unavailable', ...lackOf(error) } : invalid(reason, read.sender);
      }
      const { sender, txHash, validAfter, validBefore } = read;
      return { kind: 'valid', charge: { sender, txHash, validAfter, validBefore: validBefore ?? 0 } };
    },
    async broadcast(call) {
      const { server, header, options } = open(call);
      try {
        const { reference } = await server.broadcastCredential(header, options);
        const same = reference.toLowerCase() === call.txHash;
        return same
          ? { kind: 'settled', transaction: call.txHash }
          : unknown('provider_inconsistent', call.txHash);
      } catch (error) {
        if (!(error instanceof Errors.PaymentError)) return unknown(`call_${nameOf(error)}`, call.txHash);
        return refusedUnlessMined(call.txHash, wordsOf(error));
      }
    },
  };

  /** A typed refusal ends the payment, except where the chain has the transaction all the same (P4.14). */
  async function refusedUnlessMined(txHash: string, reason: string): Promise<SettleOutcome> {
    try {
      const { status } = await getTransactionReceipt(client, { hash: txHash as `0x${string}` });
      return status === 'reverted' ? refused('reverted') : unknown(reason, txHash);
    } catch (error) {
      return nameOf(error) === 'TransactionReceiptNotFoundError' ? refused(reason) : unknown(reason, txHash);
    }
  }
}

type ReadTransaction = Omit<ValidCharge, 'validBefore'> & { readonly validBefore: number | null };

/** Parses an envelope and serializes it again (P4.12); null when it is none, or not signed by its sender. */
async function readTransaction(text: string): Promise<ReadTransaction | null> {
  if (!/^0x76/i.test(text)) return null;
  try {
    const transaction = Transaction.deserialize(text.toLowerCase() as `0x76${string}`);
    if (transaction.signature === undefined || transaction.from === undefined) return null;
    const canonical = await Transaction.serialize(transaction);
    return {
      sender: transaction.from.toLowerCase(),
      txHash: keccak256(canonical).toLowerCase(),
      validAfter: transaction.validAfter ?? 0,
      validBefore: transaction.validBefore ?? null,
    };
  } catch {
    return null;
  }
}

// without an end, or with one after the challenge's, an unknown outcome could never be decided (P4.12)
function windowFault({ validBefore }: ReadTransaction, { expires }: ChallengeParameters): string | null {
  if (validBefore === null) return 'valid_before_missing';
  return validBefore * 1000 > Date.parse(expires) ? 'valid_before_after_expiry' : null;
}

function invalid(reason: string, sender: string | null = null): Validation {
  return { kind: 'invalid', reason, sender };
}

function refused(reason: string): SettleOutcome {
  return { kind: 'refused', reason, unavailable: false };
}

function unknown(reason: string, transaction: string): SettleOutcome {
  return { kind: 'unknown', reason, transaction };
}

/** The library's sentence as one machine word of at most 64 characters (S17). */
function wordsOf(error: Error): string {
  const [line = ''] = error.message.replace(/^Payment verification failed: ?/, '').split('\n');
  const word = line
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 64);
  return word === '' ? 'verification_failed' : word;
}

// an error the node answered with, or one of the library, is this transaction's: the node is there
function lackOf(error: unknown): { readonly reason: string; readonly transport: boolean } {
  const broken = (one: unknown): boolean => one instanceof HttpRequestError || one instanceof TimeoutError;
  return { reason: nameOf(error), transport: error instanceof BaseError && error.walk(broken) !== null };
}

function nodeRefusal(error: unknown): string | null {
  if (!(error instanceof BaseError)) return null;
  const found = error.walk((one) => one instanceof Error && nodeRefusals[one.name] !== undefined);
  return found === null ? null : (nodeRefusals[(found as Error).name] ?? null);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'error';
}
