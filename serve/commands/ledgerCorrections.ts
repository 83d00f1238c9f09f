import type { Command } from 'commander';
import { usageError } from '../../data/contract/errors/issuerError.ts';
import type { Transition } from '../ledger/port/payment.ts';
import { noReceipt, type OperatorEffects, operatorName, printLine, withLedger } from './operatorCommand.ts';

const addressPattern = /^0x[0-9a-f]{40}$/;
const plainText = /^[^\p{C}]{1,200}$/u;

/** Mounts what an operator may correct: T10–T13 and the watch list (I3.2, I3.9, I5.51). */
export function mountCorrections(ledger: Command, load: () => Promise<OperatorEffects>): void {
  ledger
    .command('refund')
    .description('record a refund that was executed')
    .argument('<receipt-id>')
    .requiredOption('--reference <text>', 'what the refund is known by outside')
    .option('--usd <amount>', 'part of the charge (default: all of it)')
    .requiredOption('--as <operator>', 'who makes the change')
    .action(async (receiptId: string, input: { reference: string; usd?: string; as: string }) =>
      correct(await load(), { receiptId, as: input.as, reason: 'refund', step: refund(input) }),
    );
  ledger
    .command('dispute')
    .description('record that payer or provider disputes a payment')
    .argument('<receipt-id>')
    .requiredOption('--reason <text>')
    .requiredOption('--as <operator>', 'who makes the change')
    .action(async (receiptId: string, { reason, as }: { reason: string; as: string }) =>
      correct(await load(), {
        receiptId,
        as,
        reason: plain(reason, '--reason'),
        step: () => ({ from: 'settled', to: 'disputed', set: {} }),
      }),
    );
  ledger
    .command('resolve')
    .description('record how a dispute was decided')
    .argument('<receipt-id>')
    .requiredOption('--outcome <party>', 'seller or payer')
    .option('--reference <text>', 'what the refund is known by outside, when the payer won')
    .requiredOption('--as <operator>', 'who makes the change')
    .action(async (receiptId: string, input: { outcome: string; reference?: string; as: string }) =>
      correct(await load(), {
        receiptId,
        as: input.as,
        reason: `resolved for ${input.outcome}`,
        step: resolution(input),
      }),
    );
  const watchlist = ledger.command('watchlist').description('payers without batched settlement');
  for (const name of ['add', 'remove'] as const) {
    watchlist
      .command(name)
      .argument('<wallet>')
      .requiredOption('--as <operator>', 'who makes the change')
      .action(async (wallet: string, { as }: { as: string }) => watch(await load(), { name, wallet, as }));
  }
}

type Step = Pick<Transition, 'from' | 'to' | 'set' | 'externalRef'>;

function refund(input: { reference: string; usd?: string }): (quotedMicro: number) => Step {
  const reference = plain(input.reference, '--reference');
  return (quotedMicro) => {
    const refundedMicro = input.usd === undefined ? quotedMicro : micro(input.usd, quotedMicro);
    const set = { refundReference: reference, refundedMicro };
    return { from: 'settled', to: 'refunded', set, externalRef: reference };
  };
}

function resolution(input: { outcome: string; reference?: string }): (quotedMicro: number) => Step {
  if (input.outcome === 'seller') return () => ({ from: 'disputed', to: 'settled', set: {} });
  if (input.outcome !== 'payer') throw usageError('--outcome is neither seller nor payer.', 'Say who won.');
  if (input.reference === undefined) {
    throw usageError('A refund needs --reference.', 'Give what the refund is known by outside.');
  }
  const reference = plain(input.reference, '--reference');
  return (refundedMicro) => {
    const set = { refundReference: reference, refundedMicro };
    return { from: 'disputed', to: 'refunded', set, externalRef: reference };
  };
}

async function correct(
  effects: OperatorEffects,
  input: { receiptId: string; as: string; reason: string; step: (quotedMicro: number) => Step },
): Promise<void> {
  const actor = operatorName(input.as);
  await withLedger(effects, async (ledger) => {
    const receipt = await ledger.findReceipt(input.receiptId);
    if (receipt === null) throw noReceipt(input.receiptId);
    const step = input.step(receipt.quotedMicro);
    const atMs = effects.time.nowMs();
    const transition: Transition = { receiptId: input.receiptId, actor, reason: input.reason, atMs, ...step };
    if (receipt.chargeStatus !== step.from || !(await ledger.transition(transition))) {
      throw usageError(
        `The receipt is ${receipt.chargeStatus}, not ${step.from}.`,
        'ledger show prints its journal; only I3.2 transitions exist.',
      );
    }
    const { from, to } = step;
    printLine(effects, { receipt_id: input.receiptId, from, to, operator: actor, reason: input.reason });
  });
}

async function watch(
  effects: OperatorEffects,
  { name, wallet, as }: { name: 'add' | 'remove'; wallet: string; as: string },
): Promise<void> {
  const by = operatorName(as);
  const payer = wallet.toLowerCase();
  if (!addressPattern.test(payer))
    throw usageError('That is not a wallet address.', 'Give 0x and 40 hex digits.');
  const atMs = effects.time.nowMs();
  await withLedger(effects, async (ledger) => {
    const outcome =
      name === 'add'
        ? await ledger.watchlist.add({
            payer,
            provider: 'gateway_batched',
            reason: by,
            receiptId: null,
            addedMs: atMs,
          })
        : (await ledger.watchlist.clear({ payer, by, atMs })) > 0
          ? 'removed'
          : 'not_listed';
    printLine(effects, { wallet: payer, outcome, operator: by });
  });
}

function micro(usd: string, quotedMicro: number): number {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(usd);
  const amount = match === null ? 0 : Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'));
  if (amount >= 1 && amount <= quotedMicro) return amount;
  throw usageError('--usd is no part of the charge.', 'Give an amount up to the charge, such as 0.04.');
}

function plain(text: string, option: string): string {
  if (plainText.test(text)) return text;
  throw usageError(`${option} is not 1 to 200 printable characters.`, 'Give a short reference.');
}
