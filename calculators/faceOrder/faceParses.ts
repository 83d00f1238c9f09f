import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { absolute } from '../exact/decimals.ts';

/** A figure of the face in document order. */
export type FaceFigure = {
  readonly concept: string;
  readonly value: ExactDecimal;
  /** A total that classifies lines (`AssetsCurrent`): never a line, and one part is enough for it. */
  readonly isTotal: boolean;
};

/** One figure of a parsed run: a line, or a subtotal with its parts; by index into the figures. */
export type FacePart = { readonly at: number; readonly parts: readonly FacePart[] };

/** Every way to read the run before an anchor; `exhausted` when the bound on work was reached first. */
type FaceParses =
  | { readonly kind: 'read'; readonly parses: readonly (readonly FacePart[])[]; readonly isExact: boolean }
  | { readonly kind: 'exhausted' };

/** Bounds of M1.24c: parts of a run, facts back from its end, figures excluded because they repeat the next one. */
export type FaceBounds = {
  readonly linesMax: number;
  readonly spanMax: number;
  readonly twinsMax: number;
  /** Steps of the search; real statements need some hundreds. */
  readonly stepsMax: number;
};

type Run = { readonly start: number; readonly parts: readonly FacePart[] };
class Exhausted extends Error {}

/**
 * Finds every parse of the run that ends directly before `end` and adds up to `target` (M1.24c 3–5).
 *
 * A part is a line or a subtotal, itself the sum of a run that ends directly before it. Sums are exact; only where no
 * exact parse exists may the run miss the target by `tolerance`.
 */
export function faceParses({
  figures,
  end,
  target,
  tolerance,
  bounds,
}: {
  readonly figures: readonly FaceFigure[];
  readonly end: number;
  readonly target: ExactDecimal;
  readonly tolerance: ExactDecimal;
  readonly bounds: FaceBounds;
}): FaceParses {
  const search = runSearch(figures, bounds);
  const within = (limit: ExactDecimal) => (sum: ExactDecimal) => {
    const gap = sum.minus(target);
    return absolute(gap).compare(limit) <= 0;
  };
  try {
    const exact = search({ end, partsMin: 1, closes: within(ExactDecimal.zero) });
    const runs = exact.length > 0 ? exact : search({ end, partsMin: 1, closes: within(tolerance) });
    // a twin at the edge of a run may be excluded there or in the run above: the same parse
    const parses = new Map(runs.map(({ parts }) => [JSON.stringify(parts), parts]));
    return { kind: 'read', parses: [...parses.values()], isExact: exact.length > 0 };
  } catch (error) {
    if (error instanceof Exhausted) return { kind: 'exhausted' };
    throw error;
  }
}

function runSearch(figures: readonly FaceFigure[], bounds: FaceBounds) {
  const subtotals = new Map<number, readonly Run[]>();
  let steps = 0;

  function search({
    end,
    partsMin,
    closes,
  }: {
    end: number;
    partsMin: number;
    closes(sum: ExactDecimal): boolean;
  }): Run[] {
    const found: Run[] = [];
    const extend = (at: number, run: { sum: ExactDecimal; parts: readonly FacePart[]; twins: number }) => {
      steps += 1;
      if (steps > bounds.stepsMax) throw new Exhausted();
      if (run.parts.length >= partsMin && closes(run.sum)) found.push({ start: at + 1, parts: run.parts });
      const figure = figures[at];
      if (figure === undefined || run.parts.length >= bounds.linesMax || end - at > bounds.spanMax) return;
      const take = (next: number, parts: readonly FacePart[]) =>
        extend(next, { ...run, sum: run.sum.plus(figure.value), parts: [{ at, parts }, ...run.parts] });
      if (!figure.isTotal) {
        take(at - 1, []);
        if (run.twins < bounds.twinsMax && at + 1 < end && isTwin(figure, figures[at + 1])) {
          extend(at - 1, { ...run, twins: run.twins + 1 });
        }
      }
      for (const { start, parts } of subtotalRuns(at)) take(start - 1, parts);
    };
    extend(end - 1, { sum: ExactDecimal.zero, parts: [], twins: 0 });
    return found;
  }

  function subtotalRuns(at: number): readonly Run[] {
    const known = subtotals.get(at);
    if (known !== undefined) return known;
    subtotals.set(at, []);
    const total = figures[at];
    if (total === undefined) return [];
    const runs = search({
      end: at,
      partsMin: total.isTotal ? 1 : 2,
      closes: (sum) => sum.equals(total.value),
    });
    subtotals.set(at, runs);
    return runs;
  }

  return search;
}

/** The same amount under another concept directly after it (BTCS: `InvestmentOwnedAtCost` and `Investments`). */
function isTwin(figure: FaceFigure, next: FaceFigure | undefined): boolean {
  return next !== undefined && next.concept !== figure.concept && next.value.equals(figure.value);
}
