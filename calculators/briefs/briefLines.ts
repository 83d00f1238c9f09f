import { longestBrief } from '../../contract/payloads/reports/naturalBrief.ts';
import { disclaimer } from '../../contract/values/disclaimer.ts';
import type { BriefStyle } from '../../contract/values/enums.ts';

/**
 * One line of a section. `level` says which styles have it: 0 and 1 all, 2 all but concise, 3 detailed alone; a line of
 * level 0 is never left out for length.
 */
export type BriefLine = {
  readonly text: string;
  readonly level: 0 | 1 | 2 | 3;
  /** The largest change of its section, which the trader style tells first (I2.43). */
  readonly leads?: true;
};

/** A section of a grammar (I2.42). */
export type BriefSection = { readonly heading: string; readonly lines: readonly BriefLine[] };

/** A line of every style that stays. */
export const must = (text: string): BriefLine => ({ text, level: 0 });
/** A line of every style. */
export const core = (text: string): BriefLine => ({ text, level: 1 });
/** A line of all styles but concise. */
export const more = (text: string): BriefLine => ({ text, level: 2 });
/** A line of the detailed style. */
export const detail = (text: string): BriefLine => ({ text, level: 3 });
/** The line that tells the largest change of its section. */
export const leading = (line: BriefLine): BriefLine => ({ ...line, leads: true });
/** Lines for what may be missing. */
export const when = (holds: boolean, ...lines: BriefLine[]): BriefLine[] => (holds ? lines : []);

/** The section that says what the text had to leave out. */
const limits = 'Limits of the Evidence';
const leftOutItem = '- Rows that do not fit this style are in summary_data.';

/** Puts a brief together within the length of its style: the least important lines of the longest section go first. */
export function fitLines({
  title,
  sections,
  style,
}: {
  title: string;
  sections: readonly BriefSection[];
  style: BriefStyle;
}): string {
  const highest = highestLevel[style];
  const kept = sections.map(({ heading, lines }) => {
    const own = lines.filter(({ level }) => level <= highest);
    return { heading, lines: style === 'trader' ? leadersFirst(own) : own };
  });
  let isCut = false;
  let text = textOf(title, { sections: kept, isCut });
  while (text.length > longestBrief[style]) {
    const worst = mostDroppable(kept);
    if (worst === null) break;
    worst.section.lines = worst.section.lines.toSpliced(worst.at, 1);
    isCut ||= worst.level === 1;
    text = textOf(title, { sections: kept, isCut });
  }
  return text;
}

/** What leads comes first; an item of a list leads its list, behind the sentence that says what the list is of. */
function leadersFirst(lines: readonly BriefLine[]): BriefLine[] {
  const leaders = lines.filter(({ leads }) => leads);
  const rest = lines.filter(({ leads }) => leads !== true);
  const isIntroduced = rest[0] !== undefined && !isItem(rest[0].text);
  const at = isIntroduced ? rest.findIndex(({ text }) => isItem(text)) : 0;
  const list = at === -1 ? rest.length : at;
  return [
    ...leaders.filter(({ text }) => !isItem(text)),
    ...rest.slice(0, list),
    ...leaders.filter(({ text }) => isItem(text)),
    ...rest.slice(list),
  ];
}

type Kept = { readonly heading: string; lines: BriefLine[] };

const highestLevel = { concise: 1, professional: 2, trader: 2, detailed: 3 } as const;

function textOf(title: string, { sections, isCut }: { sections: readonly Kept[]; isCut: boolean }): string {
  const blocks = sections.map(({ heading, lines }) => {
    const said = isCut && heading === limits ? [leftOutItem] : [];
    return `## ${heading}\n\n${joined([...lines.map(({ text }) => text), ...said])}`;
  });
  return [`# ${title}`, ...blocks, disclaimer].join('\n\n');
}

/** A sentence after a list starts a paragraph of its own. */
function joined(lines: readonly string[]): string {
  return lines.reduce((text, line, i) => {
    if (i === 0) return line;
    const before = lines[i - 1] ?? '';
    return `${text}${isItem(before) && !isItem(line) ? '\n\n' : isItem(line) ? '\n' : ' '}${line}`;
  }, '');
}

const isItem = (line: string) => /^(- |\d+\. )/.test(line);

type Droppable = {
  readonly section: Kept;
  readonly at: number;
  readonly level: number;
  readonly size: number;
};

function mostDroppable(sections: readonly Kept[]): Droppable | null {
  const candidates = sections.flatMap((section) => {
    const level = Math.max(0, ...section.lines.map((line) => line.level));
    if (section.lines.length < 2 || level === 0) return [];
    const at = section.lines.findLastIndex((line) => line.level === level);
    const size = section.lines.reduce((sum, { text }) => sum + text.length, 0);
    return [{ section, at, level, size }];
  });
  return candidates.toSorted((a, b) => b.level - a.level || b.size - a.size)[0] ?? null;
}
