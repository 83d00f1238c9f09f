import { briefGrammar } from '../../../contract/payloads/reports/briefGrammar.ts';
import { longestBrief } from '../../../contract/payloads/reports/naturalBrief.ts';
import { disclaimer } from '../../../contract/values/disclaimer.ts';
import type { BriefStyle } from '../../../contract/values/enums.ts';
import { titleOf } from '../compileBrief.ts';
import type { BriefViolation, Checked } from './briefText.ts';

/** Headings, disclaimer, Markdown and length (I2.44 a, b, j, k). */
export function checkShape({ brief, evidence }: Checked, style: BriefStyle): BriefViolation[] {
  const { text } = brief;
  const wanted = [
    `# ${titleOf(evidence)}`,
    ...briefGrammar[evidence.brief].map((heading) => `## ${heading}`),
  ];
  const violations: BriefViolation[] = [];
  if (brief.headings.join('\n') !== wanted.join('\n'))
    violations.push({ rule: 'a', message: 'the headings are not those of the grammar in their order' });
  if (!text.startsWith(`${wanted[0]}\n`))
    violations.push({ rule: 'a', message: 'the text does not begin with its title' });
  for (const heading of briefGrammar[evidence.brief]) {
    const lines = brief.sections.get(heading) ?? [];
    const own = lines.filter((line) => line !== disclaimer);
    if (own.length === 0) violations.push({ rule: 'a', message: `${heading} is empty` });
  }
  if (brief.lastLine !== disclaimer || text.split(disclaimer).length !== 2 || text.trimEnd() !== text)
    violations.push({ rule: 'b', message: 'the disclaimer is not the last line, once' });
  violations.push(...markup(text), ...balance(text));
  if (text.length > longestBrief[style])
    violations.push({ rule: 'k', message: `${text.length} characters are more than ${style} may have` });
  return violations;
}

/** Raw HTML, pictures, scripts, and links to another host than that of SEC (I2.44). */
function markup(text: string): BriefViolation[] {
  const found: string[] = [];
  if (/<[a-z!/?]/i.test(text)) found.push('raw HTML');
  if (/!\[/.test(text)) found.push('a picture');
  if (/\b(javascript|data|vbscript|mailto):/i.test(text)) found.push('an address that is no link to SEC');
  if (/^\s*\[[^\]]*\]:/m.test(text)) found.push('a link by reference');
  for (const [, target = ''] of text.matchAll(/\]\(([^)]*)\)/g))
    if (!isSec(target)) found.push(`a link to ${target.slice(0, 60)}`);
  for (const [address] of text.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s)\]]*/gi))
    if (!isSec(address)) found.push(`the address ${address.slice(0, 60)}`);
  if (/\bwww\.(?!sec\.gov\b)/i.test(text)) found.push('an address of another host');
  return found.map((what) => ({ rule: 'j', message: `the text holds ${what}` }));
}

const isSec = (address: string) => /^https:\/\/([a-z0-9-]+\.)*sec\.gov(\/[\w./?=&%-]*)?$/i.test(address);

/** Fences, emphasis, code and brackets that do not close (I2.44). */
function balance(text: string): BriefViolation[] {
  const lines = text.split('\n');
  const found: string[] = [];
  if (lines.filter((line) => /^\s*(```|~~~)/.test(line)).length % 2 === 1) found.push('a fence');
  for (const line of lines) {
    const plain = line.replaceAll(/\[[^\]]*\]\([^)]*\)/g, '').replace(/^\s*[*+-] /, '');
    if ((plain.match(/`/g) ?? []).length % 2 === 1) found.push('code');
    const strong = (plain.match(/\*\*/g) ?? []).length;
    const single = (plain.replaceAll('**', '').match(/\*/g) ?? []).length;
    if (strong % 2 === 1 || single % 2 === 1) found.push('emphasis');
    if ((plain.match(/(?<!\w)_|_(?!\w)/g) ?? []).length % 2 === 1) found.push('emphasis');
    if (count(plain, '(') !== count(plain, ')') || count(plain, '[') !== count(plain, ']'))
      found.push('a bracket');
  }
  return [...new Set(found)].map((what) => ({ rule: 'k', message: `${what} is not closed` }));
}

const count = (text: string, sign: string) => text.split(sign).length - 1;
