import { grouped } from '../../calculators/exact/decimals.ts';
import type { TrailStatement, TrailUnits } from '../../calculators/trail/statementTrail.ts';
import { filingUrl } from '../../data/contract/values/filingUrl.ts';
import type { Branch } from './treeText.ts';
import { leaf, treeText } from './treeText.ts';

/** A number of the same filing that was read and not used. */
export type RefusedNumber = {
  readonly reason: string;
  readonly document: string;
  readonly block: number;
  readonly quote: string;
};

/**
 * Prints what the live units rest on: the statement with accession, place and quoted words, how it follows from the one
 * before, what filed values are scaled from, flows and debt events counted, and what was refused beside it (M17.32).
 */
export function unitsTree(
  units: TrailUnits,
  { cik, refused }: { readonly cik: string; readonly refused: readonly RefusedNumber[] },
): string {
  const { asset, stock, link, scope, flows, debtEvents } = units;
  const rolled = units.basis === 'stated_rolled' ? ', with later purchases and sales' : '';
  return treeText({
    text: `live units: ${grouped(units.units)} ${asset} as of ${units.asOf}, stated by the issuer${rolled} (M17.24)`,
    below: [
      statementBranch(stock, cik),
      link === null
        ? leaf('the first number of its chain')
        : {
            text: linkWords(link.verdict, grouped(link.unexplained), asset),
            below: [statementBranch(link.before, cik)],
          },
      scope.statement === null
        ? leaf(`filed values are scaled from ${numberOf(scope.units)} ${asset} as filed (M17.30)`)
        : {
            text: `filed values are scaled from ${numberOf(scope.units)} ${asset}, stated for the balance sheet (M17.30)`,
            below: [statementBranch(scope.statement, cik)],
          },
      ...listed('counted after it', flows, cik),
      ...listed('debt reported since the period end, counted in live figures (M17.26)', debtEvents, cik),
      ...(refused.length === 0
        ? []
        : [{ text: 'read in the same filing and not used', below: refused.map(refusedLeaf) }]),
    ],
  });
}

function statementBranch(one: TrailStatement, cik: string): Branch {
  const amount = one.units === null ? `${numberOf(one.usd)} USD` : `${grouped(one.units)} ${one.asset}`;
  const days = one.from === null ? one.asOf : `${one.from} to ${one.asOf}`;
  const cell =
    one.row === null ? '' : `, row ${one.row}${one.column === null ? '' : `, column ${one.column}`}`;
  const url = filingUrl({ cik, accession: one.accession });
  return {
    text: `${one.kind.replaceAll('_', ' ')} ${amount}, ${days ?? 'no day'}; confidence ${one.confidence}`,
    below: [
      leaf(`${one.form} ${one.accession} of ${one.filed}, ${one.document}, block ${one.block}${cell}`),
      ...(url === null ? [] : [leaf(url)]),
      leaf(filedText(one.quote)),
    ],
  };
}

function linkWords(verdict: string, unexplained: string, asset: string): string {
  const verdicts: Readonly<Record<string, string>> = {
    proven: 'proven: purchases and sales add up to it exactly',
    rounded: `rounded: off by ${unexplained} ${asset}, within a coin a statement`,
    approximate: `approximate: off by ${unexplained} ${asset}, within the rounding of its numbers`,
    gap: `gap: ${unexplained} ${asset} since the number before are in no purchase or sale that was read`,
  };
  return `${verdicts[verdict] ?? verdict} (M17.20)`;
}

function listed(text: string, statements: readonly TrailStatement[], cik: string): Branch[] {
  return statements.length === 0 ? [] : [{ text, below: statements.map((one) => statementBranch(one, cik)) }];
}

function refusedLeaf({ reason, document, block, quote }: RefusedNumber): Branch {
  return leaf(`${reason.replaceAll('_', ' ')}: ${document}, block ${block}; ${filedText(quote)}`);
}

/** Words of a filing, marked as such: data of others, never instructions. */
function filedText(quote: string): string {
  return `filed text: ${JSON.stringify(quote.slice(0, 600))}`;
}

function numberOf(value: TrailStatement['units']): string {
  return value === null ? 'an unread amount of' : grouped(value);
}
