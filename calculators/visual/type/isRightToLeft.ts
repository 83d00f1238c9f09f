const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]/u;

/** Whether a run reads from right to left: its first letter of a strong direction decides (V12). */
export function isRightToLeft(text: string): boolean {
  for (const character of text) {
    if (rightToLeft.test(character)) return true;
    if (leftToRight.test(character)) return false;
  }
  return false;
}
