/**
 * What a company report is priced by, in the order its answer names them, with the condition in words (I4.R29.3).
 * One source of the price of a report: band, quote, list and price document follow from these.
 */
export const reportComponents = [
  {
    component: 'base',
    cents: 45,
    condition: 'Fundamentals, covenant stress, and at least three of the five required parts.',
  },
  { component: 'field_map', cents: 15, condition: 'All five required parts, and a field map with figures.' },
  { component: 'segments', cents: 5, condition: 'Segments were asked for, and the filing has them.' },
  {
    component: 'related_party',
    cents: 5,
    condition: 'Related-party transactions were asked for, and the filing has them.',
  },
  {
    component: 'full',
    cents: 5,
    condition: 'output_mode=full, and it adds points with figures to the field map.',
  },
] as const;

export type ReportComponent = (typeof reportComponents)[number]['component'];
export const reportComponentNames: readonly ReportComponent[] = reportComponents.map(
  ({ component }) => component,
);

/** Names of the seven parts of a report in their order; the last two are advisory. */
export const requiredLegs = [
  'readiness',
  'company_fundamentals',
  'alpha_signals',
  'peer_ranking',
  'covenant_stress',
] as const;
export const advisoryLeg = 'spectra_field_map';
/** Carries no price and makes no report partial (M18.80). */
export const capitalLeg = 'capital';
export const legNames = [...requiredLegs, advisoryLeg, capitalLeg] as const;
export type LegName = (typeof legNames)[number];

const microOfCent = 10_000;
const fewestRequired = 3;

/** Cents of these components together. */
function centsOf(components: readonly ReportComponent[]): number {
  return reportComponents
    .filter(({ component }) => components.includes(component))
    .reduce((sum, { cents }) => sum + cents, 0);
}

/** micro-USD of these components together. */
export function reportPriceMicroUsd(components: readonly ReportComponent[]): number {
  return centsOf(components) * microOfCent;
}

/** The least, usual and largest price of a report, in micro-USD. */
export const reportPrices = {
  least: reportPriceMicroUsd(['base']),
  usual: reportPriceMicroUsd(['base', 'field_map']),
  most: reportPriceMicroUsd(reportComponentNames),
} as const;

/** Depth of a report: its points are the cents it costs (I2.68). */
export type ReportDepth = {
  readonly points: number;
  readonly price_usd: number;
  readonly price_micro_usd: number;
  readonly components: ReportComponent[];
};

/**
 * The depth of a report by what it holds (I4.R29.3): a report that lacks a required leg costs the base alone. Null where
 * it holds less than the base.
 *
 * @param legs those that are there
 * @param mapped true when a point of the field map has a figure
 * @param segments true when they were asked for and are there; likewise `relatedParty`
 * @param full true when the whole map was asked for and has more figures than the short one
 */
export function reportDepth({
  legs,
  mapped,
  segments,
  relatedParty,
  full,
}: {
  readonly legs: ReadonlySet<LegName>;
  readonly mapped: boolean;
  readonly segments: boolean;
  readonly relatedParty: boolean;
  readonly full: boolean;
}): ReportDepth | null {
  const required = requiredLegs.filter((name) => legs.has(name));
  const hasBase = legs.has('company_fundamentals') && legs.has('covenant_stress');
  if (!hasBase || required.length < fewestRequired) return null;
  const isWhole = required.length === requiredLegs.length;
  const hasMap = legs.has(advisoryLeg) && mapped;
  const holds: Readonly<Record<ReportComponent, boolean>> = {
    base: true,
    field_map: isWhole && hasMap,
    segments: isWhole && segments,
    related_party: isWhole && relatedParty,
    full: isWhole && full && hasMap,
  };
  const components = reportComponentNames.filter((name) => holds[name]);
  const points = centsOf(components);
  return {
    points,
    price_usd: points / 100,
    price_micro_usd: reportPriceMicroUsd(components),
    components,
  };
}
