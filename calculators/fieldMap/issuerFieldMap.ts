import type { FieldPoint, IssuerFieldMapFrame } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { FieldMapConfidence } from '../../data/contract/values/enums.ts';
import type { FilingChoreography } from '../choreography/filingChoreography.ts';
import { publishedChain, publishedEvent } from '../choreography/filingChoreography.ts';
import { addDays } from '../exact/civilDate.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { FieldMapRow } from './fieldMapRow.ts';
import { changeRead, counted, issuerState, levelRead, takeaways, watchNext } from './mapWords.ts';
import type { PointDigest } from './pointDigest.ts';
import { difference } from './publishedDecimal.ts';

/** Events older than this before the latest point are listed only as part of a chain. */
const listedDays = 365;

export type FieldMapSubject = {
  readonly ticker: string;
  readonly companyName: string | null;
  /** Form of the filing in force at the latest row. */
  readonly filingForm: string | null;
  readonly priceSource: string | null;
  /** Artifact keys the rows are stored under. */
  readonly rawPaths: readonly string[];
};

/**
 * What the field map of one issuer says beside its points (I2.58, METHODOLOGY 9): events and chains from its filings,
 * labels that a client need not derive (M9.11). It says nothing of what lies before the points.
 *
 * @param shown digest of the points that are shown
 * @param last the newest of them
 * @param latest the row behind it
 */
export function issuerFieldMap(
  {
    shown,
    last,
    latest,
  }: { readonly shown: PointDigest; readonly last: FieldPoint; readonly latest: FieldMapRow },
  {
    parameters,
    choreography,
    ticker,
    companyName,
    generatedAt,
    filingForm,
    priceSource,
    rawPaths,
  }: FieldMapSubject & {
    readonly choreography: FilingChoreography;
    readonly parameters: Pick<Parameters, 'fieldMap'>;
    readonly generatedAt: string;
  },
): IssuerFieldMapFrame {
  const { window } = parameters.fieldMap;
  const read = last.current_read;
  if (read === null) throw new RangeError('the newest point of a field map has a read');
  const level = (value: number | null) => levelRead(value, parameters);
  const counts = countsOf(shown, choreography);
  const since = yearBefore(last.date);
  return {
    ticker,
    company_name: companyName,
    source_date: last.date,
    mode: 'core7_historical_spectra',
    version: 'spectra-field-map-v1',
    generated_at: generatedAt,
    generation_mode: 'runtime_history',
    source: 'core_history',
    boundary: 'Derived from stored slices; days without a slice have no point. Not a price forecast.',
    confidence: confidenceOf(latest, { points: shown.points, parameters }),
    summary: {
      current_read: read as keyof typeof takeaways,
      issuer_state: issuerState(last, read as keyof typeof takeaways),
      latest_energy_read: level(last.stored_energy),
      latest_pressure_read: level(last.field_pressure),
      latest_price_read: level(last.price_echo),
      subscriber_takeaway: takeaways[read as keyof typeof takeaways],
      watch_next: watchNext(last, filingForm),
    },
    what_changed: {
      compression_band_count: counts.compressions,
      release_band_count: counts.releases,
      filing_event_count: counts.events,
      energy_latest_vs_peak: change(last.stored_energy, shown.peakEnergy),
      pressure_latest_vs_peak: change(last.field_pressure, shown.peakPressure),
      price_echo_latest_vs_start: change(last.price_echo, shown.firstEcho),
      read: changeRead(counts),
    },
    ...listed(choreography, shown.first < since ? shown.first : since),
    annotations: annotationsOf(shown),
    lineage: {
      filing_source: 'EDGAR submissions and filings',
      market_source: priceSource,
      price_source: priceSource,
      spectra_source: 'calculation-history rows',
      raw_paths: [...rawPaths],
    },
    normalization: {
      method: 'rolling_minmax',
      ui_only: false,
      window: window.points,
    },
    source_fields_used: ['st_z', 'ap_z', 'ecs_z', 'lsi_z', 'mp_z', 'stress_50pct', 'price snapshot'],
    derived_fields: [
      ...['field_pressure', 'stored_energy', 'compression', 'release'],
      ...['price_echo', 'E_total', 'R_s', 'delta_L'],
    ],
    curve_labels: curveLabels,
  };
}

/** What each curve is, in the words of a legend (M9.11). */
const curveLabels = {
  E_total: 'Energy: distance of issuer and market from calm, squared',
  R_s: 'Reinforcement: issuer times market; below 0 they oppose',
  delta_L: 'Change of the issuer’s own debt over shocked coins since the point before',
  field_pressure: 'Structural tension of the issuer in its range of 30 points',
  stored_energy: 'Energy in its range of 30 points',
  price_echo: 'Price of the issuer’s coins in its range of 30 points',
};

function countsOf(shown: PointDigest, { events }: FilingChoreography) {
  return {
    points: shown.points,
    compressions: shown.compression.length,
    releases: shown.release.length,
    events: events.filter(({ filed }) => shown.first <= filed && filed <= shown.last).length,
  };
}

function listed({ events, chains }: FilingChoreography, since: string) {
  return {
    events: events
      .filter(({ filed, sequenceId }) => filed >= since || sequenceId !== null)
      .map(publishedEvent),
    chains: chains.map(publishedChain),
  };
}

function confidenceOf(
  row: FieldMapRow,
  { points, parameters }: { readonly points: number; readonly parameters: Pick<Parameters, 'fieldMap'> },
): FieldMapConfidence {
  const { highPoints, mediumPoints } = parameters.fieldMap.reads;
  if (points >= highPoints && row.coreTier === 'Tower' && row.quality === 'High') return 'High';
  if (points >= highPoints && row.isLinkbaseBacked) return 'Medium High';
  return points >= mediumPoints ? 'Medium' : 'Low';
}

function change(latest: number | null, from: number | null): number | null {
  return latest === null || from === null ? null : difference(latest, from);
}

function annotationsOf(shown: PointDigest) {
  const bands = (['compression', 'release'] as const).flatMap((flag) =>
    shown[flag].map(({ from, to, points }) => ({
      date: from,
      label: `${flag} band`,
      detail: `${from} to ${to}, ${counted(points, 'point')}`,
    })),
  );
  const filings = shown.filings.flatMap(({ accession, from }, i) => {
    const before = shown.filings[i - 1];
    if (before === undefined) return [];
    return { date: from, label: 'filing in force', detail: `${before.accession} → ${accession}` };
  });
  return [...bands, ...filings].sort((a, b) => compareText(a.date, b.date));
}

function yearBefore(date: string): string {
  return addDays(date, -listedDays);
}
