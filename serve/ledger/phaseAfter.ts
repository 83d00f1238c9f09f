import type { Transition } from './port/payment.ts';

/** The phase a payment reaches with its receipt (P8.28); null when the step concerns the receipt alone. */
export function phaseAfter(t: Transition): 'calling' | 'accepted' | 'refused' | null {
  // an operator's step leaves what the provider once answered
  if (t.actor.startsWith('operator:')) return null;
  switch (t.to) {
    case 'submitted':
      return 'calling';
    case 'settled':
    case 'queued_for_batch':
      return 'accepted';
    case 'failed':
      return 'refused';
    default:
      return null;
  }
}
