import { expect, test } from 'vitest';
import { routes } from '../../../data/contract/routes/routes.ts';
import { refuseLargerThanAnswer } from './servableOf.ts';

const eightMiB = 8_388_608;

test.each([
  ['R11', 'request', 'There is no smaller answer of this route.'],
  ['R02', 'limit', 'Ask for fewer rows.'],
  ['R08', 'include_segments', 'Leave out include_segments and include_related_party.'],
  [
    'R29',
    'include_segments',
    'Leave out include_segments and include_related_party, or ask for output_mode compact.',
  ],
])('an answer of %s over 8 MiB is refused with what makes that route smaller', (id, parameter, hint) => {
  const names = routes.find((route) => route.id === id)?.params.map(({ name }) => name) ?? [];
  expect(() => refuseLargerThanAnswer(eightMiB, names)).not.toThrow();
  expect(() => refuseLargerThanAnswer(eightMiB + 1, names)).toThrow(
    expect.objectContaining({ hint, details: { parameter, reason: 'answer_too_large' } }),
  );
});
