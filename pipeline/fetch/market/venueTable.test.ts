import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { venueReplica } from '../../../fixtures/replicas/venueReplica.ts';
import { historyVenues } from './fetchHistory.ts';
import { snapshotVenues } from './takeSnapshot.ts';

const measures = ['mark', 'index', 'last', 'funding', 'interval', 'open interest', 'volume', 'liquidations'];
const ofSeries = {
  mark: ['mark'],
  index: ['index'],
  interest: ['open interest'],
  candle: ['last', 'volume'],
  funding: ['funding'],
};

it('states of each venue what the table of the README says, and leaves the rest null', async () => {
  const now = new Date('2026-11-23T10:00:00Z');
  const replica = await venueReplica(() => now);
  const found: Record<string, string[]> = {};
  try {
    for (const adapter of snapshotVenues) {
      const name = adapter.nameOf(adapter.venue === 'coinbase-intx' ? 'BTC-PERP' : 'BTC-USDT');
      const answers = [];
      for (const path of adapter.paths(name)) {
        answers.push({ url: path, text: await (await fetch(`${replica.url}${path}`)).text() });
      }
      const { mark, indexPrice, last, fundingRate, fundingIntervalHours, openInterest } = adapter.read(
        answers,
        name,
      );
      const now = [mark, indexPrice, last, fundingRate, fundingIntervalHours, openInterest, null, null];
      const series = historyVenues.find(({ venue }) => venue === adapter.venue)?.series ?? [];
      const past = new Set(series.flatMap((one) => ofSeries[one.name]));
      found[adapter.venue] = measures.map(
        (measure, i) =>
          [(now[i] ?? null) === null ? '' : 'S', past.has(measure) ? 'P' : ''].join(' ').trim() || '–',
      );
    }
  } finally {
    await replica.close();
  }
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const head = rows.find((cells) => cells[1] === 'venue' && cells[2] === 'mark');
  expect(head?.slice(2, -2)).toEqual(measures);
  const stated = rows.filter(([, first = '']) => Object.keys(found).includes(first.replaceAll('`', '')));
  expect(
    Object.fromEntries(stated.map((cells) => [cells[1]?.replaceAll('`', ''), cells.slice(2, -2)])),
  ).toEqual(found);
});
