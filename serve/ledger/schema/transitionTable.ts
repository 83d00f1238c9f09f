import { receiptTransitions, statusesOfMode } from '../../../data/contract/billing/receiptTransitions.ts';

// the state machine of the contract (I3.2, I3.10) as SQL of both databases

const steps = receiptTransitions.flatMap(({ from, to, by }) => by.map((actor) => [from ?? '', to, actor]));

/** The rows of `receipt_transitions` as the list of a VALUES clause. */
export const transitionValues = steps.map((step) => `(${step.map(quoted).join(',')})`).join(', ');

const modeCases = Object.entries(statusesOfMode)
  .map(([mode, statuses]) => `WHEN '${mode}' THEN charge_status IN (${statuses.map(quoted).join(',')})`)
  .join(' ');

/** Whether the state of a receipt is one that its mode may have. */
export const statusFitsMode = `CASE settlement_mode ${modeCases} ELSE false END`;

function quoted(word: string): string {
  return `'${word}'`;
}
