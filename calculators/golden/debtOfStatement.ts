import { resolveDebt } from '../debt/resolveDebt.ts';
import { factSheet } from '../factSheet.ts';
import { filingNetworks } from '../network/filingNetworks.ts';
import type { Parameters } from '../parameters.ts';
import type { XbrlFiling } from '../xbrlFiling.ts';
import { type InputsOf, issuerInputs } from './issuerInputs.ts';
import { statementFiling } from './statementFiling.ts';

/** Resolves debt for a test from a filing, or from the lines of a face statement, with totals as plain numbers. */
export function debtOfStatement(parameters: Parameters) {
  const inputsOf = (filing: XbrlFiling | string, more: InputsOf = {}) => {
    const xbrl = typeof filing === 'string' ? statementFiling(filing) : filing;
    const sheet = factSheet(issuerInputs({ ...more, xbrl }), '2026-02-07');
    return { sheet, filing: xbrl, networks: filingNetworks(xbrl, sheet), activity: [], parameters };
  };
  const resolve = (filing: XbrlFiling | string, more: InputsOf = {}) => {
    const { current, noncurrent, total, ...rest } = resolveDebt(inputsOf(filing, more));
    return {
      ...rest,
      current: current.toNumber(),
      noncurrent: noncurrent.toNumber(),
      total: total.toNumber(),
    };
  };
  return { inputsOf, resolve };
}
