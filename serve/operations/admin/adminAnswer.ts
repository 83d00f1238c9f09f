import { readFileSync } from 'node:fs';
import { versions } from '../../../data/contract/values/versions.ts';
import { isAddressedHost } from '../../config/adminAddress.ts';
import type { ServerMetrics } from '../metrics/serverMetrics.ts';
import { operationsPage } from '../page/operationsPage.ts';
import type { OperatorView } from './operatorView.ts';

/** One answer of the admin listener. */
export type AdminAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

// the page needs its sheet and nothing else; what it shows came from outside in part
const policy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const always = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Answers the admin listener: `/` and its sheet, `/metrics`, and nothing that changes anything. */
export function adminAnswerer({
  view,
  metrics,
  settlerText,
}: {
  view(): Promise<OperatorView>;
  metrics: Pick<ServerMetrics, 'text' | 'contentType'>;
  /** What the settlement process of this machine wrote of itself; empty when none runs. */
  settlerText(): Promise<string>;
}): (request: { method: string; target: string; host: string | undefined }) => Promise<AdminAnswer> {
  const sheet = readFileSync(new URL('../page/operations.css', import.meta.url), 'utf8');
  return async ({ method, target, host }) => {
    if (!isAddressedHost(host)) return text(421, 'Ask by address: this listener has no name.\n');
    if (method !== 'GET' && method !== 'HEAD')
      return { ...text(405, 'This listener only shows.\n'), headers: { ...plain, Allow: 'GET, HEAD' } };
    switch (target.split('?', 1)[0]) {
      case '/':
        return answer('text/html; charset=utf-8', operationsPage(await view(), versionNames));
      case '/operations.css':
        return answer('text/css; charset=utf-8', sheet);
      case '/metrics':
        return answer(metrics.contentType, (await metrics.text(await view())) + (await settlerText()));
      default:
        return text(404, 'Here are / and /metrics.\n');
    }
  };
}

const plain = { ...always, 'Content-Type': 'text/plain; charset=utf-8' };
const versionNames = { service: versions.service, version: versions.api };

function answer(contentType: string, body: string): AdminAnswer {
  return { status: 200, headers: { ...always, 'Content-Type': contentType }, body };
}

function text(status: number, body: string): AdminAnswer {
  return { status, headers: plain, body };
}
