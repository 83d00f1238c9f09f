/**
 * A registrant's name as it is stored: control characters and breaks of lines are blanks, format characters (which hide
 * or reorder what is around them) are gone, blanks are single. A name is no figure, so an odd one costs no rows; what is
 * matched or counted (accessions, forms, concepts, units) is never changed.
 */
export function plainName(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Zs}\u2028\u2029]+/gu, ' ')
    .trim();
}
