import { longestBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import { disclaimer } from '../../data/contract/values/disclaimer.ts';
import type { BriefStyle } from '../../data/contract/values/enums.ts';
import { type BriefLine, type BriefSection, isItem, leadersFirst } from './briefLines.ts';

/** All that a brief of one style may say, and what of it the compiled text says. */
export type BriefPlan = {
  readonly title: string;
  readonly style: BriefStyle;
  readonly sections: readonly { readonly heading: string; readonly lines: readonly PlannedLine[] }[];
  readonly compiled: Choice;
};

/** A line with its name in the plan; `behind` names the one it reads directly behind. */
export type PlannedLine = BriefLine & { readonly id: string; readonly behind: string | null };

/** Lines of a plan by id, in their order, each with the number of its wording (0 is the full one). */
export type Choice = ReadonlyMap<string, number>;

const highestLevel = { concise: 1, professional: 2, trader: 2, detailed: 3 } as const;
/** The section that says what the text had to leave out. */
const limits = 'Limits of the Evidence';
const cutItem = '- This text is cut to the length of its style; summary_data holds every row.';
const emptySection = 'Left out for length; summary_data holds it.';

/** The lines of a style in its order, and those of them that fit its length (M11.9). */
export function briefPlan({
  title,
  sections,
  style,
}: {
  title: string;
  sections: readonly BriefSection[];
  style: BriefStyle;
}): BriefPlan {
  const ofStyle = sections.map(({ heading, lines }, section) => {
    const id = (at: number) => `${section + 1}.${at + 1}`;
    const own = lines
      .map((line, at) => ({ ...line, id: id(at), behind: line.follows ? id(at - 1) : null }))
      .filter(({ level }) => level <= highestLevel[style]);
    return { heading, lines: style === 'trader' ? leadersFirst(own) : own };
  });
  const plan = { title, style, sections: ofStyle };
  return { ...plan, compiled: fitted(plan) };
}

type Lines = Omit<BriefPlan, 'compiled'>;

/** The Markdown of a choice of lines; sections stand in the order of the grammar, lines in that of the choice. */
export function planText({ title, sections }: Lines, choice: Choice): string {
  const order = [...choice.keys()];
  const isCut = sections.some(({ lines }) => lines.some(({ id, level }) => level < 2 && !choice.has(id)));
  const blocks = sections.map(({ heading, lines }) => {
    const texts = new Map(lines.map((line) => [line.id, wordings(line)[choice.get(line.id) ?? -1]]));
    const said = order.flatMap((id) => texts.get(id) ?? []);
    const all = isCut && heading === limits ? [...said, cutItem] : said;
    return `## ${heading}\n\n${all.length === 0 ? emptySection : joined(all)}`;
  });
  return [`# ${title}`, ...blocks, disclaimer].join('\n\n');
}

/** The wordings of a line, the full one first. */
export const wordings = ({ text, short }: BriefLine): readonly string[] =>
  short === undefined ? [text] : [text, short];

function joined(lines: readonly string[]): string {
  return lines.reduce((text, line, i) => {
    if (i === 0) return line;
    const before = lines[i - 1] ?? '';
    return `${text}${isItem(before) && !isItem(line) ? '\n\n' : isItem(line) ? '\n' : ' '}${line}`;
  }, '');
}

function fitted(plan: Lines): Choice {
  const choice = new Map<string, number>();
  for (const { lines } of plan.sections) for (const { id } of lines) choice.set(id, 0);
  while (planText(plan, choice).length > longestBrief[plan.style]) {
    const cut = leastImportant(plan, choice) ?? wordy(plan, choice, false) ?? lastOptional(plan, choice);
    const step = cut ?? wordy(plan, choice, true);
    if (step === null) break;
    if (step.isShortened) choice.set(step.id, 1);
    else choice.delete(step.id);
  }
  return choice;
}

type Step = { readonly id: string; readonly isShortened: boolean };

/** The last line of the highest level of the longest section; a section keeps one. */
function leastImportant({ sections }: Lines, choice: Choice): Step | null {
  const candidates = sections.flatMap(({ lines }) => {
    const kept = lines.filter(({ id }) => choice.has(id));
    const level = Math.max(0, ...kept.map((line) => line.level));
    const last = kept.findLast((line) => line.level === level);
    if (kept.length < 2 || level === 0 || last === undefined) return [];
    return [{ id: last.id, level, size: kept.reduce((sum, { text }) => sum + text.length, 0) }];
  });
  const [worst] = candidates.toSorted((a, b) => b.level - a.level || b.size - a.size);
  return worst === undefined ? null : { id: worst.id, isShortened: false };
}

function wordy({ sections }: Lines, choice: Choice, inLimits: boolean): Step | null {
  const lines = sections
    .filter(({ heading }) => (heading === limits) === inLimits)
    .flatMap((section) => section.lines.toReversed());
  const found = lines.find(({ id, short }) => short !== undefined && choice.get(id) === 0);
  return found === undefined ? null : { id: found.id, isShortened: true };
}

/** The one line that is left of the last section without a line that has to stay. */
function lastOptional({ sections }: Lines, choice: Choice): Step | null {
  const found = sections
    .flatMap(({ lines }) => lines)
    .findLast(({ id, level }) => level > 0 && choice.has(id));
  return found === undefined ? null : { id: found.id, isShortened: false };
}

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
