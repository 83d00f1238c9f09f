import { hash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import {
  lowerSequence,
  type Promotion,
  promotion,
  promotionNames,
  promotionSeen,
} from '../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { unavailable } from './artifactFaults.ts';
import type { PointerBytes } from './pointerFiles.ts';
import type { TellStore } from './remoteHealth.ts';
import { type JudgeKey, parsedJson, verifySigned } from './verifySigned.ts';

/** Looks at the signed sequence of pointers before they are taken up (STORE ST21). */
export type PromotionWatch = {
  /**
   * Takes what was read of `promotion.json` before the pointers, which a publication moves first.
   *
   * @throws IssuerError `artifact_unavailable` when the sequence is lower than one that was seen, or not signed, or where
   * the pointers are those of a lower one
   */
  check(pointers: PointerBytes & { readonly promotion: Buffer | null }): void;
};

/** A publication moves its pointers one after the other, and signs them at its end. */
const patienceMs = 10 * 60_000;
/** Signed states a process remembers; a night signs one. */
const mostStates = 1_000;

/**
 * Makes the watch. The highest sequence is kept beside the store, so that a start knows it.
 *
 * @param keeps whether it may be written
 */
export function promotionWatch({
  seenPath,
  keeps,
  nowMs,
  trusts,
  tell,
}: {
  seenPath: string;
  keeps: boolean;
  nowMs(): number;
  trusts: JudgeKey;
  tell: TellStore;
}): PromotionWatch {
  let seen = seenIn(seenPath);
  let known: { readonly bytes: string; readonly signed: Promotion } | null = null;
  /** The sequence each state of the pointers was last signed under, as far as this process saw it. */
  const states = new Map<string, number>();
  let apart: { readonly said: string; readonly sinceMs: number; isTold: boolean } | null = null;

  function signedIn(bytes: Buffer | null): Promotion | null {
    if (bytes === null) return null;
    const text = bytes.toString('utf8');
    if (known?.bytes === text) return known.signed;
    const parsed = promotion.safeParse(parsedJson(bytes));
    if (!parsed.success) throw unavailable(promotionNames.stored, 'it is damaged');
    const wrong = verifySigned(parsed.data, trusts);
    if (wrong !== null)
      throw unavailable(promotionNames.stored, 'it is not signed by a key of this deployment');
    known = { bytes: text, signed: parsed.data };
    return parsed.data;
  }

  function remember({ current, slices_sha256, sequence }: Promotion): void {
    const state = `${current} ${slices_sha256}`;
    states.delete(state);
    states.set(state, sequence);
    const [oldest] = states.keys();
    if (states.size > mostStates && oldest !== undefined) states.delete(oldest);
  }

  /** Pointers that nothing signed are reported, once they stand for longer than a publication takes. */
  function compare(signed: Promotion, { current, slices }: PointerBytes): void {
    const index = (parsedJson(slices) ?? {}) as CanonicalValue;
    const name = current?.toString('utf8').trimEnd() ?? null;
    const said = `${name} ${hash('sha256', canonicalJson(index), 'hex')}`;
    const sequence = states.get(said);
    if (sequence !== undefined && sequence < signed.sequence) {
      const found = `the pointers are those of sequence ${sequence}, and ${signed.sequence} was signed`;
      throw unavailable(promotionNames.stored, `${found}: an older state was put back`);
    }
    if (sequence === signed.sequence) apart = null;
    else if (apart?.said !== said) apart = { said, sinceMs: nowMs(), isTold: false };
    if (apart === null || apart.isTold || nowMs() - apart.sinceMs < patienceMs) return;
    apart.isTold = true;
    tell({ level: 'warn', event: 'pointers_not_signed', fields: { release: name } });
  }

  return {
    check(pointers) {
      const signed = signedIn(pointers.promotion);
      const why = lowerSequence(signed?.sequence ?? null, seen);
      if (why !== null) throw unavailable(promotionNames.stored, `it ${why}`);
      if (signed === null) return;
      if (signed.sequence > seen) {
        seen = signed.sequence;
        if (keeps) keep(seenPath, seen);
      }
      remember(signed);
      compare(signed, pointers);
    },
  };
}

function seenIn(path: string): number {
  try {
    return promotionSeen.parse(JSON.parse(readFileSync(path, 'utf8'))).sequence;
  } catch {
    return 0;
  }
}

/** What cannot be written is known until this process ends. */
function keep(path: string, sequence: number): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(partial, canonicalJson({ sequence }));
    // the other process may have seen more meanwhile
    if (seenIn(path) < sequence) renameSync(partial, path);
  } catch {
    // not logged: the store itself can be read
  }
}
