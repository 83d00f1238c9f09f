import { Counter, type Registry } from 'prom-client';
import type { WebhookOutcome } from '../../checkout/takeWebhook.ts';

/** The alerts by name; every label is a constant of the code. */
export type AlertMetrics = {
  /** A warning or an error of the log, by its name. */
  alert(event: string): void;
  /** A connection was closed unread because as many as the process can hold were open. */
  droppedConnection(): void;
  /** What became of a notification of the card provider (P5.7, P5.8). */
  webhook(outcome: WebhookOutcome): void;
};

/** Registers the counters. */
export function alertMetrics(registry: Registry): AlertMetrics {
  const registers = [registry];
  const alerts = new Counter({
    name: 'alerts_total',
    help: 'Warnings and errors in the log, by event: clock_skew, provider_lied, payment_unresolved and others.',
    labelNames: ['event'],
    registers,
  });
  const webhooks = new Counter({
    name: 'checkout_webhooks_total',
    help: 'Notifications of the card provider by what became of them; refused ones by reason.',
    labelNames: ['outcome'],
    registers,
  });
  const dropped = new Counter({
    name: 'http_dropped_connections_total',
    help: 'Connections closed unread because as many as the process can hold were open.',
    registers,
  });
  return {
    alert: (event) => alerts.inc({ event }),
    droppedConnection: () => dropped.inc(),
    webhook: (outcome) => webhooks.inc({ outcome }),
  };
}
