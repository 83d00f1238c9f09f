import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { LinkVerdict } from '../currentReports/chainStocks.ts';
import type { StatedUnits } from '../currentReports/currentUnits.ts';
import type { Confidence, Statement, StatementKind } from '../currentReports/statement.ts';

/** A statement of a current report and where it stands, plain members alone (M17.32). */
export type TrailStatement = {
  readonly kind: StatementKind;
  readonly asset: string;
  readonly units: ExactDecimal | null;
  readonly usd: ExactDecimal | null;
  readonly from: string | null;
  readonly asOf: string | null;
  readonly confidence: Confidence;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** Type of the SGML header and name of the file. */
  readonly document: string;
  readonly block: number;
  readonly row: number | null;
  readonly column: number | null;
  /** Filed text: data of others, at most {@link quotedCharacters}. */
  readonly quote: string;
};

/** What the live units and the debt beside them rest on (M17.24, M17.26). */
export type TrailUnits = {
  readonly asset: string;
  readonly units: ExactDecimal;
  readonly asOf: string;
  readonly basis: 'stated' | 'stated_rolled';
  readonly stock: TrailStatement;
  /** How the stock follows from the one before; null for the first of a chain. */
  readonly link: {
    readonly verdict: LinkVerdict;
    readonly before: TrailStatement;
    readonly unexplained: ExactDecimal;
  } | null;
  /** What filed values are scaled from; the statement is null where it is the filed number itself. */
  readonly scope: { readonly units: ExactDecimal | null; readonly statement: TrailStatement | null };
  readonly flows: readonly TrailStatement[];
  readonly debtEvents: readonly TrailStatement[];
};

const quotedCharacters = 600;

/** The statements behind the live units of a row. */
export function unitsTrail({ asset, current, debt }: StatedUnits): TrailUnits {
  const { link, scopeUnits, scopeStock } = current;
  return {
    ...{ asset, units: current.units, asOf: current.asOf, basis: current.basis },
    stock: statementTrail(current.stock),
    link: link && {
      verdict: link.verdict,
      before: statementTrail(link.from),
      unexplained: link.difference,
    },
    scope: { units: scopeUnits, statement: scopeStock && statementTrail(scopeStock) },
    flows: current.flows.flatMap(({ statements }) => statements.map(statementTrail)),
    debtEvents: debt.events.map(statementTrail),
  };
}

function statementTrail(one: Statement): TrailStatement {
  const { kind, asset, units, usd, periodFrom: from, asOf, confidence, place, source } = one;
  return {
    ...{ kind, asset, units, usd, from, asOf, confidence },
    ...{ accession: source.accession, form: source.form, filed: source.filed },
    document: `${place.type} ${place.document}`,
    ...{ block: place.block, row: place.row, column: place.column },
    quote: one.quote.slice(0, quotedCharacters).toWellFormed(),
  };
}
