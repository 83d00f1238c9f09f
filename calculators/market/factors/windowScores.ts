import { roundHalfUp } from '../../exact/roundHalfUp.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { robustZ, type Yardstick } from '../../standing/crossSection.ts';
import type { BucketLength } from '../marketBucket.ts';
import { type InputId, type Inputs, inputIds, type ZScores } from './factorRow.ts';
import { slidingSection } from './slidingSection.ts';

export type WindowScores = {
  /** Published: 4 decimals. */
  readonly zScores: ZScores;
  /** Available buckets in the window, the row's own among them. */
  readonly historyRows: number;
  /** What the z of breadth is measured by; null where it has none. */
  readonly breadthSection: Yardstick | null;
};

/**
 * Robust z of every input inside its own trailing window of available buckets, the bucket itself included (M8.5):
 * null below the minimum of buckets, and below as many values of its own (M8.5a).
 *
 * @param inputsAt published inputs of the k-th available bucket
 * @returns scores of the k-th available bucket; fastest when asked in order
 */
export function windowScores(
  inputsAt: (k: number) => Inputs,
  { bucketLength, parameters }: { readonly bucketLength: BucketLength; readonly parameters: Parameters },
): (k: number) => WindowScores {
  const { window, minBuckets } = parameters.perps.buckets[bucketLength];
  const sections = Object.fromEntries(inputIds.map((id) => [id, slidingSection()])) as Record<
    InputId,
    ReturnType<typeof slidingSection>
  >;
  // the window holds [first, end)
  let [first, end] = [0, 0];

  function each(k: number, step: (id: InputId, value: number) => void): void {
    const inputs = inputsAt(k);
    for (const id of inputIds) {
      const value = inputs[id];
      if (value !== null) step(id, value);
    }
  }

  function moveTo(k: number): void {
    const wanted = Math.max(0, k + 1 - window);
    if (k + 1 < end || wanted >= end) {
      for (let i = first; i < end; i += 1) each(i, (id, value) => sections[id].remove(value));
      [first, end] = [wanted, wanted];
    }
    for (; end <= k; end += 1) each(end, (id, value) => sections[id].add(value));
    for (; first < wanted; first += 1) each(first, (id, value) => sections[id].remove(value));
  }

  return (k) => {
    moveTo(k);
    const historyRows = end - first;
    const inputs = inputsAt(k);
    const sectionOf = (id: InputId) => {
      const section = historyRows < minBuckets || inputs[id] === null ? null : sections[id].section();
      return section === null || section.n < minBuckets ? null : section;
    };
    const zOf = (id: InputId) => {
      const [value, section] = [inputs[id], sectionOf(id)];
      return value === null || section === null ? null : publishedZ(value, { section, parameters });
    };
    return {
      zScores: Object.fromEntries(inputIds.map((id) => [id, zOf(id)])) as ZScores,
      historyRows,
      breadthSection: sectionOf('breadth'),
    };
  };
}

/** Robust z at 4 decimals (M0.4). */
export function publishedZ(
  value: number,
  { section, parameters }: { readonly section: Yardstick; readonly parameters: Parameters },
): number {
  return roundHalfUp(robustZ(value, section, parameters), 4);
}
