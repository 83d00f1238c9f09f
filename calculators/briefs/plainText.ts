const longestName = 60;

/** A filed name as Markdown shows it: without marks and controls of its own, isolated where it runs right to left. */
export function plainText(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/[<>[\]()*_`~|#\\!{}]/g, ' ')
    .replace(/:\/\/|\bwww\.|\b(?:javascript|data|vbscript|mailto):/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const cut =
    plain.length <= longestName
      ? plain
      : `${plain
          .slice(0, longestName - 3)
          .replace(/[\uD800-\uDBFF]$/, '')
          .replace(/(?<=.{30}) [^ ]{0,20}$/su, '')
          .trimEnd()}...`;
  // the words behind a name that runs from right to left keep their order
  return rightToLeft.test(cut) ? `\u2068${cut}\u2069` : cut;
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** `kutg:LoanAgreementMember` as `Loan Agreement`; a concept or member without its prefix, in words. */
export function memberWords(member: string): string {
  const name = member.slice(member.indexOf(':') + 1).replace(/Member$/, '');
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');
  return plainText(words);
}

/** `high_synchronization_risk` as a reader says it. */
export function codeWords(code: string): string {
  return code.replaceAll('_', ' ');
}

/** `a, b and c`. */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
