import type { BriefKind, briefGrammar } from '../../data/contract/payloads/reports/briefProblems.ts';

/**
 * One sentence of a section, or one item of a list. `level` says which styles have it: 0 and 1 all, 2 all but concise, 3
 * detailed alone; a line of level 0 stays in every style (M11.9).
 */
export type BriefLine = {
  readonly text: string;
  readonly level: 0 | 1 | 2 | 3;
  /** The same in fewer words, for a text that is too long. */
  readonly short?: string;
  /** The largest change of its section, which the trader style tells first (I2.43). */
  readonly leads?: true;
  /** Reads only directly behind the line before it. */
  readonly follows?: true;
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
/** A line that reads only directly behind the one before it. */
export const behind = (line: BriefLine): BriefLine => ({ ...line, follows: true });
/** A line with a shorter wording. */
export const orShort = (line: BriefLine, short: string): BriefLine => ({ ...line, short });
/** Lines for what may be missing. */
export const when = (holds: boolean, ...lines: BriefLine[]): BriefLine[] => (holds ? lines : []);

/** What leads comes first; an item of a list leads its list, behind the sentence that says what the list is of. */
export function leadersFirst<Line extends BriefLine>(lines: readonly Line[]): Line[] {
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

/** True for an item of a list. */
export const isItem = (text: string) => /^(- |\d+\. )/.test(text);

/** The lines of a brief by the heading they stand below. */
export type SectionLines<Kind extends BriefKind> = Readonly<
  Record<(typeof briefGrammar)[Kind][number], readonly BriefLine[]>
>;
