import { expect, it } from 'vitest';
import { followUp } from './followUp.ts';

const horizon = { embargoDays: 1, horizonMonths: 12, types: ['E1', 'E2', 'E3', 'E4', 'E5'] as const };
const outcome = ({ knownOn, events, until }: { knownOn: string; events?: string[]; until: string }) =>
  followUp({
    ...horizon,
    knownOn,
    record: {
      events: (events ?? []).map((date) => ({ type: 'E1' as const, date })),
      followedUntil: until,
    },
  });

// known on 2022-11-30 means usable from 2022-12-01: the window is 2022-12-02 … 2023-12-01 (M12.12)
it.each([
  ['an event on the first day of the window', ['2022-12-02'], '2022-12-02', 'event'],
  ['an event on its last day', ['2023-12-01'], '2023-12-01', 'event'],
  ['an event a day too late, followed to its end', ['2023-12-02'], '2023-12-02', 'no_event'],
  ['an event on the day of the embargo', ['2022-12-01'], '2022-12-01', 'after_event'],
  ['an event before the facts were known', ['2022-11-07'], '2022-11-07', 'after_event'],
  ['nothing, followed to the end', [], '2023-12-01', 'no_event'],
  ['an event long ago, followed a day too short', ['2021-05-01'], '2023-11-30', 'censored'],
  ['nothing, followed a day too short', [], '2023-11-30', 'censored'],
  ['an old event, and a last look before the facts were known', ['2021-05-01'], '2022-11-30', 'censored'],
])('takes %s as it is', (_, events, until, expected) => {
  expect(outcome({ knownOn: '2022-11-30', events, until })).toBe(expected);
});

it('does not take silence about an issuer for the absence of events', () => {
  expect(followUp({ ...horizon, knownOn: '2022-11-30', record: null })).toBe('not_followed');
});

it('looks only at the kinds of events asked for', () => {
  const record = {
    events: [{ type: 'E4' as const, date: '2022-12-31' }],
    followedUntil: '2026-02-07',
  };
  const asked = { ...horizon, knownOn: '2022-02-16', record };
  expect(followUp(asked)).toBe('event');
  expect(followUp({ ...asked, types: ['E1', 'E2', 'E3'] })).toBe('no_event');
});
