/** What Altman's Z″ reads of one balance sheet, USD; operating income over twelve months. */
export type AltmanInputs = {
  readonly totalAssets: number;
  readonly currentAssets: number;
  readonly currentLiabilities: number;
  readonly retainedEarnings: number;
  readonly operatingIncome: number;
  readonly equity: number;
  readonly totalLiabilities: number;
};

/**
 * Altman's Z″ for non-manufacturers (1995): 6.56·WC/A + 3.26·RE/A + 6.72·EBIT/A + 1.05·E/L; lower is worse.
 * null without assets or liabilities (M12.12 baseline).
 */
export function altmanZ(i: AltmanInputs): number | null {
  if (!(i.totalAssets > 0 && i.totalLiabilities > 0)) return null;
  const share = (amount: number) => amount / i.totalAssets;
  return (
    6.56 * share(i.currentAssets - i.currentLiabilities) +
    3.26 * share(i.retainedEarnings) +
    6.72 * share(i.operatingIncome) +
    (1.05 * i.equity) / i.totalLiabilities
  );
}
