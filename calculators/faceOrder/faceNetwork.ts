import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CalculationArc } from '../filing/xbrlFiling.ts';
import { type CalculationNetwork, calculationNetworks } from '../network/calculationNetwork.ts';
import { roleName } from '../network/filingNetworks.ts';
import type { FaceFigure, FacePart } from './faceParses.ts';

/** The role of a network made of document order (M1.24c 6). */
export const faceOrderRole = 'face_order';

/** Where a walk found its lines, in words. */
export function networkWords({ role }: Pick<CalculationNetwork, 'role'>): string {
  return role === faceOrderRole ? 'the document order' : roleName(role);
}

const one = ExactDecimal.parse('1');

/** A parse as a network: every part is a child of its subtotal with weight +1, in document order. */
export function faceNetwork({
  anchor,
  figures,
  parts,
}: {
  readonly anchor: string;
  readonly figures: readonly FaceFigure[];
  readonly parts: readonly FacePart[];
}): CalculationNetwork {
  const [network] = calculationNetworks(arcsOf(anchor, parts, figures)).networks;
  if (network === undefined) throw new RangeError(`a parse of ${anchor} is no network`);
  return network;
}

function arcsOf(from: string, parts: readonly FacePart[], figures: readonly FaceFigure[]): CalculationArc[] {
  return parts.flatMap((part): CalculationArc[] => {
    const to = figures[part.at]?.concept;
    if (to === undefined) return [];
    const arc: CalculationArc = {
      role: faceOrderRole,
      from,
      to,
      weight: one,
      order: part.at,
      version: '1.1',
    };
    return [arc, ...arcsOf(to, part.parts, figures)];
  });
}
