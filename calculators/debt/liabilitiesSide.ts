import { type FaceLine, faceAssets, linkbaseAssets } from '../assets/assetsSide.ts';
import { classifyCoins } from '../assets/classifyCoins.ts';
import type { FaceOrder } from '../faceOrder/faceOrder.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import { type RelatedPartyLine, relatedPartyLines } from '../filing/relatedPartyLines.ts';
import type { ConceptDeclaration } from '../filing/xbrlFiling.ts';
import type { CalculationNetwork } from '../network/calculationNetwork.ts';
import {
  conceptWords,
  isStandard,
  liabilitiesAndEquityConcepts,
  liabilitiesConcepts,
} from '../network/conceptNames.ts';
import {
  type DecidingSignal,
  decidingSignal,
  type FilingNetworks,
  roleName,
} from '../network/filingNetworks.ts';
import { descendantsOf } from '../network/networkRoots.ts';
import { isUnderRepurchaseRight } from './classifyDebt.ts';
import type { DebtInputs } from './debtResolution.ts';
import { sideResiduals } from './sideResiduals.ts';

/** A network of the liabilities side, and with what it is read. */
export type LiabilitiesSide = {
  readonly source: 'linkbase' | 'face_order';
  readonly network: CalculationNetwork;
  /** Where the walk starts. */
  readonly start: string;
  /** What preferred this network to others that have the side. */
  readonly signal: DecidingSignal;
  readonly sheet: FactSheet;
  readonly declarations: ReadonlyMap<string, ConceptDeclaration>;
  /** Lines the filer shows by counterparty without which a total does not add up (M1.7b). */
  readonly relatedParty: readonly RelatedPartyLine[];
};

type LinkbaseInputs = Pick<DebtInputs, 'networks' | 'sheet' | 'filing' | 'parameters'>;

/** The side in the filing's own calculation linkbase, or why it has none (M1.24, M1.7b). */
export function linkbaseSide(input: LinkbaseInputs): LiabilitiesSide | { readonly reason: string } {
  const { candidates, declarations, ...networks } = input.networks;
  for (const starts of [liabilitiesConcepts, liabilitiesAndEquityConcepts]) {
    const startIn = (network: CalculationNetwork) =>
      starts.find((concept) => network.childrenOf(concept).length > 0);
    const holders = candidates.filter(({ network }) => startIn(network) !== undefined);
    const network = holders[0]?.network;
    const start = network === undefined ? undefined : startIn(network);
    if (network !== undefined && start !== undefined) {
      const side = { network, start, signal: decidingSignal(holders), declarations };
      return { source: 'linkbase', ...side, ...withCounterparties({ ...input, network, start }) };
    }
  }
  return { reason: missingSide(networks) };
}

/** Admits lines shown by counterparty where a total adds up with them and not without them (M1.7b). */
function withCounterparties({
  network,
  start,
  sheet,
  filing,
  parameters,
}: Pick<LiabilitiesSide, 'network' | 'start'> & Omit<LinkbaseInputs, 'networks'>): Pick<
  LiabilitiesSide,
  'sheet' | 'relatedParty'
> {
  const below = descendantsOf(network, [start]);
  const isFiled = (concept: string) => !below.has(concept) || sheet.chosen(concept) !== null;
  const lines = filing === null ? [] : relatedPartyLines(filing, { period: sheet.period, isFiled });
  if (lines.length === 0) return { sheet, relatedParty: [] };
  const failing = (read: FactSheet) =>
    sideResiduals({ network, sheet: read }, { start, parents: [], parameters })
      .filter(({ result }) => result === 'fail')
      .map(({ concept }) => concept);
  const added = sheet.withLines(lines);
  const [before, after] = [failing(sheet), failing(added)];
  const mends = after.length < before.length && after.every((concept) => before.includes(concept));
  return mends ? { sheet: added, relatedParty: lines } : { sheet, relatedParty: [] };
}

function missingSide({
  balanceSheets,
  rejected,
  arcCount,
}: Pick<FilingNetworks, 'balanceSheets' | 'rejected' | 'arcCount'>): string {
  if (arcCount === 0) return 'the filing has no calculation arcs';
  if (balanceSheets.length > 0) return 'no balance-sheet network breaks liabilities down';
  const [first] = rejected;
  const why = first === undefined ? '' : ` (${roleName(first.role)}: ${first.reason})`;
  return `no usable balance-sheet network${why}`;
}

/**
 * Every reading of the side in the document order of the instance, or why it has none (M1.24c). Standing among the
 * liabilities that add up, an undeclared line of the filer is a monetary instant with a credit balance (M1.22).
 */
export function faceSides(
  { liabilities }: FaceOrder,
  { sheet, networks }: { sheet: FactSheet; networks: FilingNetworks },
): readonly [LiabilitiesSide, ...LiabilitiesSide[]] | { readonly reason: string } {
  if (liabilities.kind !== 'closed') return { reason: liabilities.reason };
  const withMembers = sheet.withLines(liabilities.relatedParty);
  const [first, ...rest] = liabilities.readings.map(({ network }): LiabilitiesSide => {
    const lines = network.concepts.map((concept): [string, ConceptDeclaration] => [
      concept,
      networks.declarations.get(concept) ?? creditLine(concept),
    ]);
    return {
      source: 'face_order',
      network,
      start: liabilities.anchor,
      signal: 'reported_nodes',
      sheet: withMembers,
      declarations: new Map(lines),
      relatedParty: liabilities.relatedParty,
    };
  });
  return first === undefined ? { reason: 'it has no reading' } : [first, ...rest];
}

function creditLine(concept: string): ConceptDeclaration {
  return {
    concept,
    type: 'xbrli:monetaryItemType',
    isMonetary: true,
    periodType: 'instant',
    balance: 'credit',
    isAbstract: false,
    label: null,
  };
}

/**
 * Liabilities of the filer's own that only stand against an asset (M1.22c): they are under a right of repurchase, or equal
 * an asset line of the same stem ("loans … asset", "loans … liability"). Not where that asset is in the coins: coins that
 * were borrowed stand on both sides, and are owed.
 */
export function grossUps(
  { network, start, sheet, declarations }: LiabilitiesSide,
  inputs: Pick<DebtInputs, 'networks' | 'face' | 'parameters'>,
): ReadonlySet<string> {
  const { concepts } = inputs.parameters;
  const below = descendantsOf(network, [start]);
  const own = [...below].filter((concept) => !isStandard(concept));
  if (own.length === 0) return new Set();
  const others = assetLines({ ...inputs, sheet }).filter(
    ({ concept }) => !below.has(concept) && classifyCoins(concept, { declarations, concepts }) === null,
  );
  const standsAgainst = (concept: string) => {
    const [value, stem] = [sheet.positive(concept), stemOf(concept)];
    if (value === null || stem === '') return false;
    return others.some((line) => line.value.equals(value) && stemOf(line.concept) === stem);
  };
  return new Set(
    own.filter(
      (concept) => isUnderRepurchaseRight(conceptWords(concept), concepts) || standsAgainst(concept),
    ),
  );
}

function assetLines(inputs: Pick<DebtInputs, 'networks' | 'face' | 'parameters' | 'sheet'>): FaceLine[] {
  const linkbase = linkbaseAssets(inputs.networks, inputs);
  const face = faceAssets(inputs.face, inputs);
  const sides = [...('reason' in linkbase ? [] : [linkbase]), ...('reason' in face ? [] : face)];
  return sides.flatMap(({ lines }) => lines);
}

/** What is left of a name without the side it stands on. */
function stemOf(concept: string): string {
  const [name = ''] = conceptWords(concept);
  return name
    .replace(/(at)?fairvalue$|(non)?current$/, '')
    .replace(/liabilit(y|ies)(for|of|from|on)?|assets?$/g, '');
}
