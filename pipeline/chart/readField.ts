import type { fieldMapRows } from '../../calculators/visual/chart/fieldMapRows.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  type FieldPoint,
  fieldPoint,
  issuerFieldMap,
  mostFieldPoints,
} from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { releaseOrCurrent } from '../commands/namedRelease.ts';
import { findIssuer, type IssuerLabel } from '../explain/findRow.ts';
import { isPeriodicForm } from '../fetch/filings/chooseFilingsToFetch.ts';
import { type OpenRelease, openRelease, readJson } from '../release/openRelease.ts';
import { releaseParts } from '../release/releaseStore.ts';
import { type ChartRequest, type Input, nothingToDraw, subjectOf } from './chartRequest.ts';
import { newestPoints } from './newestPoints.ts';
import { knownProducts, productField } from './productField.ts';

const labels = { field_pressure: 'Pressure', stored_energy: 'Energy', price_echo: 'Price echo' };

/**
 * Field map of one product or one issuer, from the current release; the id of a product comes before the name of an issuer.
 *
 * @throws IssuerError `usage`, `input_missing`, `validation_failed`
 */
export async function readField(chartRequest: ChartRequest): Promise<Input<typeof fieldMapRows>> {
  const { connection, layout, width } = chartRequest;
  const subject = subjectOf(chartRequest, 'issuer or product');
  const name = await releaseOrCurrent(layout, undefined);
  const release = await openRelease(layout.artifacts, name, {});
  const { sourceDate } = releaseParts(name);
  const products = await knownProducts(release, sourceDate);
  const product = products.find((id) => id === subject.toUpperCase());
  if (product !== undefined) return productField(release, { sourceDate, product, width });
  const issuer = await findIssuer(connection, subject).catch((error: unknown) => {
    throw withProducts(error, products);
  });
  return issuerField(release, { sourceDate, issuer, width });
}

async function issuerField(
  release: OpenRelease,
  { sourceDate, issuer: { cik, ticker }, width }: { sourceDate: string; issuer: IssuerLabel; width: number },
): Promise<Input<typeof fieldMapRows>> {
  const { object, points: history } = issuerFieldMap.stored;
  const key = object.key({ slice: sourceDate, cik });
  const frame = await readJson(release, { key, schema: object.schema });
  if (frame === null)
    throw nothingToDraw(`Release ${release.manifest.version} has no field map of ${ticker ?? cik}.`);
  const points = await newestPoints(release, {
    listKey: history.listKey({ slice: sourceDate }),
    subject: cik,
    row: fieldPoint,
    most: mostFieldPoints,
  });
  const first = points[0]?.date ?? sourceDate;
  const read = frame.summary?.current_read ?? 'no read';
  return {
    subject: ticker ?? cik,
    points,
    labels,
    read,
    missing: read === 'Needs Core Confirmation' ? whyUnconfirmed(points) : null,
    events: (frame.events ?? [])
      .filter(({ date }) => date >= first && date <= sourceDate)
      .map(({ date, form }) => ({ date, label: isPeriodicForm(form) ? form : null })),
    isMadeUp: false,
    width,
  };
}

/** Why an issuer's read needs confirmation, as far as its points tell (M9.7). */
export function whyUnconfirmed(
  points: readonly Pick<FieldPoint, 'field_pressure' | 'stored_energy'>[],
): string {
  const last = points.at(-1);
  if (last === undefined || points.length < 5) return 'fewer than 5 points';
  if (last.field_pressure === null) return 'the newest point has no pressure';
  if (last.stored_energy === null) return 'the newest point has no energy';
  return 'the row behind it is of low quality, a Coil or unclassified';
}

/** What names no issuer may have been meant as a product, so that the products are named too. */
function withProducts(error: unknown, products: readonly string[]): unknown {
  if (!(error instanceof IssuerError) || error.code !== 'usage' || products.length === 0) return error;
  const { code, message, hint } = error;
  return new IssuerError({
    code,
    message,
    hint: `${hint} The products are ${products.join(', ')}.`,
    cause: error,
  });
}
