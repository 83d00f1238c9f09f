import { indexKeyOf } from '../../contract/history/indexKeyOf.ts';
import { readSegmentIndex } from '../../contract/history/segmentIndex.ts';
import { readSegmentList } from '../../contract/history/segmentList.ts';
import { fieldPoint, issuerFieldMap, mostFieldPoints } from '../../contract/payloads/issuerFieldMap.ts';
import type { Chart } from '../../visual/chart/chart.ts';
import { fieldMapRows } from '../../visual/chart/fieldMapRows.ts';
import { releaseOrCurrent } from '../commands/namedRelease.ts';
import { findIssuer } from '../explain/findRow.ts';
import { type OpenRelease, openRelease, readJson } from '../release/openRelease.ts';
import { releaseParts } from '../release/releaseStore.ts';
import { type ChartRequest, nothingToDraw, subjectOf } from './chartRequest.ts';

const labels = { field_pressure: 'Pressure', stored_energy: 'Energy', price_echo: 'Price echo' };

/** Field map of one issuer, from the current release. @throws IssuerError `usage`, `input_missing`, `validation_failed` */
export async function fieldChart(chartRequest: ChartRequest): Promise<Chart> {
  const { connection, layout, width } = chartRequest;
  const { cik, ticker } = await findIssuer(connection, subjectOf(chartRequest, 'issuer'));
  const name = await releaseOrCurrent(layout, undefined);
  const release = await openRelease(layout.artifacts, name, {});
  const { sourceDate } = releaseParts(name);
  const { object } = issuerFieldMap.stored;
  const key = object.key({ slice: sourceDate, cik });
  const frame = await readJson(release, { key, schema: object.schema });
  if (frame === null) throw nothingToDraw(`Release ${name} has no field map of ${ticker ?? cik}.`);
  const points = await pointsOf(release, { sourceDate, cik });
  const first = points[0]?.date ?? sourceDate;
  const needs = frame.summary?.current_read === 'Needs Core Confirmation';
  return fieldMapRows({
    subject: ticker ?? cik,
    points,
    labels,
    read: frame.summary?.current_read ?? 'no read',
    missing: needs ? 'fewer than 5 points with a value, or none today' : null,
    events: (frame.events ?? [])
      .filter(({ date }) => date >= first && date <= sourceDate)
      .map(({ date, form }) => ({ date, label: form })),
    width,
  });
}

/**
 * The newest points of a subject, out of the segments that the release lists (STORE ST8).
 *
 * @throws RangeError when a list or an index is none, or a segment is missing
 */
async function pointsOf(release: OpenRelease, { sourceDate, cik }: { sourceDate: string; cik: string }) {
  const list = await release.read(issuerFieldMap.stored.points.listKey({ slice: sourceDate }));
  const segments = list === null ? [] : sound(readSegmentList(JSON.parse(list.toString('utf8')))).segments;
  const lines: string[] = [];
  for (const { key } of segments) {
    const [body, index] = await Promise.all([release.read(key), release.read(indexKeyOf(key))]);
    if (body === null || index === null) throw new RangeError(`${key} is listed and is not stored whole`);
    const share = sound(readSegmentIndex(JSON.parse(index.toString('utf8')))).shares.get(cik);
    if (share !== undefined)
      lines.push(...body.subarray(share.start, share.end).toString('utf8').split('\n'));
  }
  return lines
    .filter((line) => line !== '')
    .map((line) => fieldPoint.parse(JSON.parse(line)))
    .slice(-mostFieldPoints);
}

function sound<T>(found: { readonly value: T } | { readonly fault: string }): T {
  if ('fault' in found) throw new RangeError(`a stored field map cannot be read: ${found.fault}`);
  return found.value;
}
