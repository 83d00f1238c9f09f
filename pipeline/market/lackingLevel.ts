import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';

/** Why pressure may not be published: the first level of coverage that says so, with its number (M8.10, M8.14). */
export function lackingLevel({ coverage }: Pick<FactorRow, 'coverage'>): {
  readonly level: number | null;
  readonly reason: string;
} {
  const [name, found] = Object.entries(coverage).find(([, { status }]) => status !== 'available') ?? [];
  const reason = (found?.reason ?? 'inputs_missing').replaceAll('_', ' ').replace(/\.$/, '');
  return { level: name === undefined ? null : Number(name.split('_')[1]), reason };
}
