import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { closeTo } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FaceOrder } from '../faceOrder/faceOrder.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { ConceptDeclaration } from '../filing/xbrlFiling.ts';
import type { CalculationNetwork } from '../network/calculationNetwork.ts';
import { assetsConcepts } from '../network/conceptNames.ts';
import { type DecidingSignal, decidingSignal, type FilingNetworks } from '../network/filingNetworks.ts';
import { descendantsOf, rootValues, signed, topmostRoots } from '../network/networkRoots.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { namesOtherAsset } from './classifyCoins.ts';

/** A line of the face with its amount in USD. */
export type FaceLine = { readonly concept: string; readonly value: ExactDecimal };

/** The network that breaks assets down, and what is known of it (M1.24). */
export type AssetsSide = {
  readonly source: 'linkbase' | 'face_order';
  readonly network: CalculationNetwork;
  /** Where the walk starts. */
  readonly start: string;
  /** What preferred the network to others that have the side. */
  readonly signal: DecidingSignal;
  readonly declarations: ReadonlyMap<string, ConceptDeclaration>;
  /** The facts its lines are valued with. */
  readonly sheet: FactSheet;
  /** Its lines add up to the total within rounding. */
  readonly closes: boolean;
  /** A line that the filing states with a member only and that closes the side (M1.24c 8); null without one. */
  readonly gapLine: string | null;
  /** Reported concepts with nothing reported below them. */
  readonly lines: readonly FaceLine[];
};

/** The assets side in the filing's own calculation linkbase, or why it has none (M1.24). */
export function linkbaseAssets(
  networks: FilingNetworks,
  { sheet, parameters }: { sheet: FactSheet; parameters: Pick<Parameters, 'identityTolerance'> },
): AssetsSide | { readonly reason: string } {
  const startIn = (network: CalculationNetwork) =>
    assetsConcepts.find((concept) => network.childrenOf(concept).length > 0);
  const holders = networks.candidates.filter(({ network }) => startIn(network) !== undefined);
  const network = holders[0]?.network;
  const start = network === undefined ? undefined : startIn(network);
  if (network === undefined || start === undefined) {
    return { reason: 'no usable network breaks assets down' };
  }
  return {
    source: 'linkbase',
    network,
    start,
    signal: decidingSignal(holders),
    declarations: networks.declarations,
    sheet,
    closes: addsUp({ network, start, sheet }, parameters),
    gapLine: null,
    lines: linesOf({ network, start, sheet }),
  };
}

/** Every reading of the assets side in document order, or why it has none (M1.24c). */
export function faceAssets(
  { assets }: FaceOrder,
  { networks, sheet }: { networks: FilingNetworks; sheet: FactSheet },
): readonly AssetsSide[] | { readonly reason: string } {
  if (assets.kind !== 'closed') return { reason: assets.reason };
  return assets.readings.map(({ network, lines }): AssetsSide => {
    return {
      source: 'face_order',
      network,
      start: assets.anchor,
      signal: 'reported_nodes',
      declarations: networks.declarations,
      sheet: sheet.withLines(assets.relatedParty),
      closes: true,
      gapLine: assets.gapLine,
      lines,
    };
  });
}

/** Names the line with a member that closed the side (M1.24c 8). */
export function gapNotes({ gapLine }: Pick<AssetsSide, 'gapLine'>): string[] {
  return gapLine === null ? [] : [`member_line:${gapLine}`];
}

function addsUp(
  { network, start, sheet }: { network: CalculationNetwork; start: string; sheet: FactSheet },
  { identityTolerance }: Pick<Parameters, 'identityTolerance'>,
): boolean {
  const total = sheet.amount(start);
  const isFiled = (concept: string) => sheet.amount(concept) !== null;
  const lines = topmostRoots({ network, start, matches: isFiled }).roots.map(({ concept, weight }) =>
    signed({ value: sheet.amount(concept) ?? ExactDecimal.zero, weight }),
  );
  return total !== null && closeTo(sumOf(lines), total, identityTolerance);
}

function linesOf({ network, start, sheet }: Pick<AssetsSide, 'network' | 'start' | 'sheet'>): FaceLine[] {
  return [...descendantsOf(network, [start])].flatMap((concept) => {
    const value = sheet.amount(concept);
    const hasParts = [...descendantsOf(network, [concept])].some((below) => sheet.amount(below) !== null);
    return value === null || hasParts ? [] : [{ concept, value }];
  });
}

/**
 * Asset lines that were not counted as coins and whose names do not say what else they are, each above zero (M2.4d);
 * "other" and bare intangible lines do not. They enter no total; they say how many more coins there may be.
 *
 * A line of intangibles that the filing states as finite-lived, to the dollar, is none of them: coins do not amortise.
 *
 * @param counted concepts that are coins already, with what is below them
 */
export function unnamedAssets(
  { network, start, sheet, lines }: AssetsSide,
  counted: readonly string[],
  concepts: Concepts,
): readonly ExactDecimal[] {
  const coins = new Set(counted);
  const leaves = new Set(lines.map(({ concept }) => concept));
  const amortised = sheet.amount('us-gaap:FiniteLivedIntangibleAssetsNet');
  const isNamed = (concept: string) => {
    const isAmortised = amortised !== null && sheet.amount(concept)?.equals(amortised) === true;
    return namesOtherAsset(concept, concepts) || (/intangible/i.test(concept) && isAmortised);
  };
  const { roots } = topmostRoots({
    network,
    start,
    matches: (concept) => coins.has(concept) || leaves.has(concept),
  });
  const unnamed = roots.filter(({ concept }) => !coins.has(concept) && !isNamed(concept));
  return rootValues({ network, roots: unnamed, sheet })
    .roots.map(signed)
    .filter((value) => value.sign > 0);
}
