import type { BriefStyle } from '../../contract/values/enums.ts';
import { type BriefViolation, briefText, type Checked, type EvidenceFacts } from './checks/briefText.ts';
import { checkMissing } from './checks/checkMissing.ts';
import { checkNumbers } from './checks/checkNumbers.ts';
import { checkRanks } from './checks/checkRanks.ts';
import { checkShape } from './checks/checkShape.ts';
import { checkSubjects } from './checks/checkSubjects.ts';
import { checkWords } from './checks/checkWords.ts';
import { evidenceFacts } from './checks/evidenceFacts.ts';
import type { BriefEvidence } from './compileBrief.ts';

/**
 * What speaks against a text as a brief of the evidence (I2.44, M11.2, M11.3); empty for a sound one.
 *
 * @param facts those of the evidence, where several texts of it are judged
 */
export function validateBrief(
  text: string,
  {
    evidence,
    style,
    facts = evidenceFacts(evidence),
  }: { evidence: BriefEvidence; style: BriefStyle; facts?: EvidenceFacts },
): BriefViolation[] {
  const checked: Checked = { brief: briefText(text), evidence, facts, claims: claimsOf(text, facts) };
  return [
    ...checkShape(checked, style),
    ...checkNumbers(checked),
    ...checkSubjects(checked),
    ...checkWords(checked),
    ...checkMissing(checked),
    ...checkRanks(checked),
  ];
}

/** The text without addresses and without what it quotes from the evidence by name; a loan leaves its mark. */
function claimsOf(text: string, { quotes, subjects: { marks } }: EvidenceFacts): string {
  const bare = text.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s)\]]*/gi, '');
  return quotes.reduce((left, quote) => left.replaceAll(quote, marks.get(quote) ?? '§'), bare);
}
