import { describe, expect, it } from 'vitest';
import { receiptTransitions, statusesOfMode } from './receiptTransitions.ts';

describe('receiptTransitions', () => {
  it('are the steps T1 to T13 with who may make each (I3.2)', () => {
    expect(receiptTransitions.map(({ from, to, by }) => `${from ?? ''}>${to} ${by.join(' ')}`)).toEqual([
      '>not_charged handler',
      '>authorized handler',
      'authorized>submitted handler',
      'submitted>settled handler recovery',
      'submitted>failed handler recovery',
      'authorized>queued_for_batch handler recovery',
      'queued_for_batch>settled reconciler',
      'queued_for_batch>failed reconciler',
      'authorized>failed handler recovery',
      'settled>refunded operator',
      'settled>disputed operator',
      'disputed>settled operator',
      'disputed>refunded operator',
    ]);
  });

  it('reach every state that a mode may have (I3.10)', () => {
    for (const [mode, statuses] of Object.entries(statusesOfMode)) {
      const held = new Set<string>(statuses);
      const inMode = receiptTransitions.filter(
        ({ from, to }) => held.has(to) && (from === null || held.has(from)),
      );
      expect(new Set(inMode.map(({ to }) => to)), mode).toEqual(held);
    }
  });
});
