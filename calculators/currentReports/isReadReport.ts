const forms: ReadonlySet<string> = new Set(['8-K', '8-K/A', '6-K', '6-K/A']);
const items: ReadonlySet<string> = new Set([
  ...['1.01', '1.02', '1.03', '2.01', '2.02', '2.03', '2.04', '3.02', '7.01', '8.01'],
]);

/** True for a current report that is read: a 6-K always, an 8-K by its items, or where none are known (M17.35). */
export function isReadReport(report: { readonly form: string; readonly items: readonly string[] }): boolean {
  if (!forms.has(report.form)) return false;
  if (report.form.startsWith('6-K') || report.items.length === 0) return true;
  return report.items.some((item) => items.has(item));
}
