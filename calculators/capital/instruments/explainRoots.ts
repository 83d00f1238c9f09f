import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { agree, type Rounded, roundedSum } from '../filedAmounts.ts';

/** A debt line of the balance sheet (M1.25). */
export type DebtRoot = Rounded & { readonly concept: string };

/** What of one instrument a line of the face may hold: it is carried net, at fair value, or as principal less cost. */
export type RootPart = {
  readonly carrying: Rounded | null;
  readonly fairValue: Rounded | null;
  readonly principal: Rounded | null;
  readonly unamortized: Rounded | null;
};

/** A line, and the instruments whose amounts agree with it (M18.13). */
export type ExplainedRoot<T> = { readonly root: DebtRoot; readonly parts: readonly T[] };

const partsMost = 6;
/** The largest ones; a set of six among more agrees with something by chance. */
const searchedMost = 14;

/**
 * For each line, the largest first, the smallest set of at most six instruments whose carrying amounts, fair values, or
 * principals less unamortized cost, own or of the whole entity, agree with it. An instrument explains one line.
 */
export function explainRoots<T extends RootPart>(
  roots: readonly DebtRoot[],
  parts: readonly T[],
  /** Unamortized cost without a member. */
  unallocated: readonly Rounded[],
): readonly ExplainedRoot<T>[] {
  const used = new Set<T>();
  return roots
    .toSorted((a, b) => b.value.compare(a.value) || (a.concept < b.concept ? -1 : 1))
    .flatMap((root) => {
      const open = parts.filter((part) => !used.has(part));
      const found = setOf(root, open, unallocated);
      if (found === null) return [];
      for (const part of found) used.add(part);
      return [{ root, parts: found }];
    });
}

function setOf<T extends RootPart>(
  root: DebtRoot,
  parts: readonly T[],
  unallocated: readonly Rounded[],
): readonly T[] | null {
  const less = ({ principal, unamortized }: T) =>
    principal === null || unamortized === null
      ? null
      : { value: principal.value.minus(unamortized.value), half: principal.half.plus(unamortized.half) };
  const gross = unallocated.map((cost) => ({
    value: root.value.plus(cost.value),
    half: root.half.plus(cost.half),
  }));
  const ways: readonly { readonly target: Rounded; readonly of: (part: T) => Rounded | null }[] = [
    { target: root, of: ({ carrying }) => carrying },
    { target: root, of: ({ fairValue }) => fairValue },
    { target: root, of: less },
    ...gross.map((target) => ({ target, of: ({ principal }: T) => principal })),
  ];
  for (const { target, of } of ways) {
    const found = smallestSet(target, parts, of);
    if (found !== null) return found;
  }
  return null;
}

function smallestSet<T>(
  target: Rounded,
  parts: readonly T[],
  of: (part: T) => Rounded | null,
): readonly T[] | null {
  const items = parts
    .flatMap((part) => {
      const amount = of(part);
      return amount === null || amount.value.sign <= 0 ? [] : [{ part, amount }];
    })
    .toSorted((a, b) => b.amount.value.compare(a.amount.value))
    .slice(0, searchedMost);
  const top = target.value.plus(target.half);
  const search = (
    from: number,
    chosen: readonly (typeof items)[number][],
    size: number,
  ): typeof items | null => {
    const sum = roundedSum(chosen.map(({ amount }) => amount));
    if (chosen.length === size) return agree(sum, target) ? [...chosen] : null;
    if (isAbove(sum, top)) return null;
    for (let index = from; index < items.length; index += 1) {
      const item = items[index];
      const found = item === undefined ? null : search(index + 1, [...chosen, item], size);
      if (found !== null) return found;
    }
    return null;
  };
  for (let size = 1; size <= Math.min(partsMost, items.length); size += 1) {
    const found = search(0, [], size);
    if (found !== null) return found.map(({ part }) => part);
  }
  return null;
}

function isAbove({ value, half }: Rounded, top: ExactDecimal): boolean {
  return value.minus(half).compare(top) > 0;
}
