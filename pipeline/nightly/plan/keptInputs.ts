import { daysBetween } from '../../../calculators/exact/civilDate.ts';
import type { InputHashes } from '../../source/inputHashes.ts';
import type { WarehouseEntry } from './journal.ts';

/** An input that is not available tonight and whose rows of an earlier night stay in use. */
export type KeptInput = { readonly name: string; readonly sha256: string; readonly sourceDate: string };

/** Names of inputs whose rows outlast their night. */
export const lasting = /^(edgar|prices|perps|stocks)\//;
/** Of those, what no issuer's row rests on. */
const ofMarkets = /^(perps|stocks)\//;

/**
 * Inputs that the warehouse holds and that are gone from the source: what was known of them stays known, so that no
 * issuer steps back to an older filing and no row loses its closes.
 */
export function keptInputs(held: WarehouseEntry['held'], atHand: InputHashes): readonly KeptInput[] {
  return Object.entries(held)
    .filter(([name]) => lasting.test(name) && atHand[name] === undefined)
    .map(([name, { sha256, source_date }]) => ({ name, sha256, sourceDate: source_date }));
}

/** What the next night may keep: tonight's inputs, and those kept tonight as of their own night. */
export function heldInputs(
  { hashes, kept }: { readonly hashes: InputHashes; readonly kept: readonly KeptInput[] },
  sourceDate: string,
): WarehouseEntry['held'] {
  const fresh = Object.entries(hashes).filter(
    ([name, hash]) => lasting.test(name) && /^[0-9a-f]{64}$/.test(hash),
  );
  return Object.fromEntries([
    ...kept.map((input) => [input.name, { sha256: input.sha256, source_date: input.sourceDate }] as const),
    ...fresh.map(([name, sha256]) => [name, { sha256, source_date: sourceDate }] as const),
  ]);
}

/** As the provenance of a release states it. */
export function keptHash({ sha256, sourceDate }: KeptInput): string {
  return `${sha256} kept from ${sourceDate}`;
}

/** The `data_quality_notes` of every issuer's row of a night that kept inputs. */
export function keptNotes(kept: readonly Pick<KeptInput, 'name' | 'sourceDate'>[]): readonly string[] {
  return kept
    .filter(({ name }) => !ofMarkets.test(name))
    .map(({ name, sourceDate }) => `input_kept:${name}:${sourceDate}`);
}

/** One sentence for the operator. */
export function keptSentence({ name, sha256, sourceDate }: KeptInput, tonight: string): string {
  const age = daysBetween(sourceDate, tonight);
  return (
    `${name} is not in the inputs; what the night of ${sourceDate} read of it stays in use ` +
    `(sha256 ${sha256.slice(0, 12)}, ${age} ${age === 1 ? 'day' : 'days'} old)`
  );
}
