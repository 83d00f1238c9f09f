import { disclaimer } from '../../values/disclaimer.ts';
import type { BriefStyle } from '../../values/enums.ts';
import { type BriefKind, briefGrammar } from './briefGrammar.ts';
import { longestBrief } from './naturalBrief.ts';
import { unverifiedNumbers } from './unverifiedNumbers.ts';

/**
 * What speaks against a text as a brief of its evidence (I2.44), read as a client reads it: from the answer alone, without
 * knowledge of how it was compiled.
 */
export function briefProblems({
  text,
  evidence,
  kind,
  style,
}: {
  text: string;
  evidence: unknown;
  kind: BriefKind;
  style: BriefStyle;
}): string[] {
  const lines = text.split('\n');
  const headings = lines.filter((line) => line.startsWith('#')).slice(1);
  const sections = lines.slice(0, -1).join('\n').split('\n## ').slice(1);
  const stray = unverifiedNumbers(text, evidence);
  return [
    ...(headings.join('|') === briefGrammar[kind].map((one) => `## ${one}`).join('|')
      ? []
      : ['the sections are not those of I2.42']),
    ...(sections.every((section) => /\n./.test(section)) ? [] : ['a section is empty (I2.42)']),
    ...(lines.at(-1) === disclaimer ? [] : ['the last line is not the disclaimer (I2.40)']),
    ...(text.length <= longestBrief[style]
      ? []
      : [`its ${text.length} characters are more than ${style} may have (I2.43)`]),
    ...(stray.length === 0 ? [] : [`${stray[0]} is not in its evidence (I2.44)`]),
    ...(hasForeignMarkup(text)
      ? ['it holds HTML, a picture or a link to another host than SEC (I2.44)']
      : []),
  ];
}

/** Briefs have headings, lists and links to pages of EDGAR; all other markup came in with a text of the evidence. */
function hasForeignMarkup(text: string): boolean {
  const bare = text.replaceAll(/\]\(https:\/\/www\.sec\.gov\/[\w./-]*\)/g, ']');
  return /<[a-z!/?]|!\[|\]\(|\]:|`|:\/\/|(?!\n)\p{Cc}/iu.test(bare);
}
