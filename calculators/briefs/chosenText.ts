import { longestBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import { leadersFirst } from './briefLines.ts';
import { type BriefPlan, planText, wordings } from './briefPlan.ts';

/** A line that a renderer chose, by its name in the plan, and the number of its wording. */
export type ChosenLine = { readonly id: string; readonly wording: number };

/** The lines a renderer may not leave out: those of the compiled text that every style has (M11.5). */
export function requiredLines({ sections, compiled }: BriefPlan): ReadonlySet<string> {
  const lines = sections.flatMap((section) => section.lines);
  return new Set(lines.filter(({ id, level }) => level < 2 && compiled.has(id)).map(({ id }) => id));
}

/**
 * The text of the lines that a renderer chose, in its order; null where it named a line or wording that the plan does not
 * have, one twice, not all that are required, one away from what it reads behind, or more than the style holds (M11.5).
 */
export function chosenText(plan: BriefPlan, chosen: readonly ChosenLine[]): string | null {
  const choice = new Map(chosen.map(({ id, wording }) => [id, wording]));
  if (choice.size < chosen.length) return null;
  const sections = plan.sections.map(({ lines }) => {
    const byId = new Map(lines.map((line) => [line.id, line]));
    return chosen.flatMap(({ id }) => byId.get(id) ?? []);
  });
  const lines = sections.flat();
  const isKnown = lines.every((line) => wordings(line)[choice.get(line.id) ?? -1] !== undefined);
  if (lines.length < chosen.length || !isKnown) return null;
  for (const id of requiredLines(plan)) if (!choice.has(id)) return null;
  if (sections.some((own) => own.some(({ behind }, i) => behind !== null && own[i - 1]?.id !== behind)))
    return null;
  const ordered = plan.style === 'trader' ? sections.flatMap(leadersFirst) : lines;
  const text = planText(plan, new Map(ordered.map(({ id }) => [id, choice.get(id) ?? 0])));
  return text.length > longestBrief[plan.style] ? null : text;
}
