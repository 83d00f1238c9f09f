import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blindView } from '../../../fixtures/rigs/blindView.ts';
import { hostile, type OperatorRig, operatorRig } from '../../../fixtures/rigs/operatorRig.ts';
import { readConfig } from '../../config/config.ts';
import { isAddressedHost, isPrivateHost } from '../../config/hostAddress.ts';
import { operationsPage } from '../page/operationsPage.ts';
import { keptView } from './startOperations.ts';

describe('the admin listener over a seeded ledger', () => {
  let rig: OperatorRig;
  let page: string;
  beforeAll(async () => {
    rig = await operatorRig();
    page = await (await fetch(`${rig.origin}/`)).text();
  });
  afterAll(() => rig.close());

  it('shows what the ledger and the releases hold', () => {
    const cells = page
      .replaceAll('<wbr>', '')
      .replaceAll(/<[^>]*>/g, '|')
      .replaceAll(/\|+/g, '|');
    expect(cells).toContain('|x402_direct|settled|3 · $0.30|4 · $0.40|');
    expect(cells).toContain('|gateway_batched|queued_for_batch|1 · $0.10|1 · $0.10|');
    expect(cells).toContain('|Charged, not delivered (7 days)|1 · $0.10|');
    expect(cells).toContain('|x402_exact, unknown|$0.75|2 h|');
    expect(cells).toContain('|$25.00 of $25.00|2026-02-10 14:00 UTC, in 3 d 4 h|');
    expect(cells).toContain('The newest 3 of 3 slices with a promoted release');
    expect(cells).toMatch(/2026-02-07\|2026-02-07\.1 \|current\| \|[0-9a-f]{12}\|/);
    expect(cells).toContain('|x402_exact|open|');
    expect(cells).toContain('|Ready, and 5 things need a look.|');
  });

  it('escapes what others wrote: account, refusal, reason of a night', () => {
    for (const text of Object.values(hostile)) expect(page).not.toContain(text);
    expect(page).toContain('&lt;script&gt;document.title=&quot;taken&quot;&lt;/script&gt;');
    expect(page).toContain(
      'failed: &lt;/dd&gt;&lt;/main&gt;&lt;svg onload=document.title=&#39;taken&#39;&gt;',
    );
    expect(page.match(/<(script|img|svg|iframe|form|input|button)\b/gi)).toBeNull();
  });

  it('forbids everything but its sheet, and is never kept or framed', async () => {
    for (const path of ['/', '/metrics', '/operations.css', '/nothing']) {
      const { headers } = await fetch(`${rig.origin}${path}`);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|script-src/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('only shows: every method but GET and HEAD is 405, every other path 404', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await fetch(`${rig.origin}/`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    expect((await fetch(`${rig.origin}/ledger`)).status).toBe(404);
    const head = await fetch(`${rig.origin}/`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('prints the names of P9.14 with the figures of the ledger', async () => {
    const answer = await fetch(`${rig.origin}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = (await answer.text()).split('\n');
    expect(lines).toContain('pay_unresolved 1');
    expect(lines).toContain('pay_unresolved_age_seconds 7200');
    expect(lines).toContain('pay_undelivered_micro_usd 100000');
    expect(lines).toContain('pay_queued_micro_usd 100000');
    expect(lines).toContain('pay_undelivered_settled 1');
    expect(lines).toContain('pay_breaker_state{provider="x402_exact"} 2');
    expect(lines).toContain('sig_backend{backend="native"} 1');
    expect(lines).toContain('ledger_receipts{rail="x402_direct",state="settled",window="today"} 3');
    expect(lines).toContain(
      'ledger_charged_micro_usd{rail="x402_direct",state="settled",window="7d"} 400000',
    );
    expect(lines).toContain('service_ready 1');
    // 2026-02-07T07:12:40Z to 10:00
    expect(lines).toContain('release_age_seconds 10040');
    expect(lines).toContain('last_run_ok 0');
    expect(lines).toContain('last_run_degraded 0');
    for (const name of [
      'pay_claims_total',
      'pay_outcomes_total',
      'pay_wait_seconds',
      'ledger_commit_seconds',
    ])
      expect(lines.some((line) => line.startsWith(`# TYPE ${name} `))).toBe(true);
  });
});

describe('the admin listener over an old slice', () => {
  let rig: OperatorRig;
  let page: string;
  beforeAll(async () => {
    // computed 2026-02-05T07:12:40Z; the clock of the rig says 2026-02-07T10:00:00Z
    rig = await operatorRig({ dates: ['2026-02-04', '2026-02-05'] });
    page = await (await fetch(`${rig.origin}/`)).text();
  });
  afterAll(() => rig.close());

  it('names it by the window its release states, before every other thing but what refuses buyers', () => {
    const flagged = page.indexOf('The slice that is sold is 2 d 2 h old');
    expect(flagged).toBeGreaterThan(page.indexOf('x402_exact does not answer'));
    expect(flagged).toBeLessThan(page.indexOf('1 of 1 open payment'));
    expect(page).toContain('/v1/readiness calls it stale after 1 d 12 h');
    expect(page).toContain('systemctl list-timers &#39;issuer-*&#39;; issuer nightly');
    expect(page).toContain('<span class="bad">2 d 2 h, stale after 1 d 12 h</span>');
    expect(page).toContain('Ready, and 6 things need a look.');
  });
});

describe('the admin listener while the ledger is down', () => {
  let rig: OperatorRig;
  beforeAll(async () => {
    rig = await operatorRig({ ledgerDown: true });
  });
  afterAll(() => rig.close());

  it('shows the rest, says what is missing, and names no path of the machine', async () => {
    const answer = await fetch(`${rig.origin}/`);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page.match(/Not available\./g)).toHaveLength(3);
    expect(page).toContain('failing: disk_full');
    expect(page).toContain('Not ready: paid calls are refused.');
    expect(page).toContain('2026-02-07.1');
    expect(page).not.toContain('/var/secret');
  });

  it('has no sample of what could not be read, rather than an old one', async () => {
    const lines = (await (await fetch(`${rig.origin}/metrics`)).text()).split('\n');
    expect(lines).toContain('ledger_figures_ok 0');
    expect(lines).toContain('ledger_ok 0');
    expect(lines.filter((line) => /^(pay_unresolved|ledger_receipts|settler_jobs)/.test(line))).toEqual([]);
  });
});

describe('the admin listener whose ledger goes away after it was looked at', () => {
  it('says at once that paid calls are refused, beside figures that were read before', async () => {
    const rig = await operatorRig();
    const ask = async (path: string) => await (await fetch(`${rig.origin}${path}`)).text();
    expect(await ask('/metrics')).toContain('\nservice_ready 1\n');
    expect(await ask('/')).toContain('Ready, and 5 things need a look.');
    await rig.ledger.close();
    const page = await ask('/');
    expect(page).toContain('Not ready: paid calls are refused.');
    expect(page).toContain('The ledger is failing (not_open)');
    expect(page).toContain('1 · $0.10');
    const lines = (await ask('/metrics')).split('\n');
    for (const line of ['service_ready 0', 'ledger_ok 0', 'pay_unresolved 1', 'readings_age_seconds 0'])
      expect(lines).toContain(line);
    await rig.close();
  });
});

describe('the operations page', () => {
  it('says how much older its readings are than the rest', () => {
    const named = { service: 's', version: '1' };
    expect(operationsPage({ ...blindView, atMs: 162_000, readMs: 0 }, named)).toContain(
      'releases, audit and figures of the ledger were read 2 min 42 s before; reload',
    );
    expect(operationsPage({ ...blindView, atMs: 999, readMs: 0 }, named)).not.toContain('were read');
  });
});

describe('the address of the admin listener (P0.6)', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '::1',
    '10.1.2.3',
    '172.31.0.9',
    '192.168.1.1',
    '100.64.0.1',
    'fd00::1',
    'fe80::1',
  ])('%s is private', (host) => {
    expect(isPrivateHost(host)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '8.8.8.8', '172.32.0.1', '2001:db8::1', 'example.com', ''])(
    '%s is not',
    (host) => {
      expect(isPrivateHost(host)).toBe(false);
    },
  );

  it.each([
    ['0.0.0.0:8403', 'II_ADMIN_LISTEN is not an address of this machine or of a private network.'],
    ['203.0.113.9:8403', 'II_ADMIN_LISTEN is not an address of this machine or of a private network.'],
    ['127.0.0.1:8402', 'II_ADMIN_LISTEN is the public listener.'],
  ])('a start with II_ADMIN_LISTEN=%s stops', (value, message) => {
    const environment = { II_BASE_URL: 'http://127.0.0.1:8402', II_ADMIN_LISTEN: value };
    expect(() => readConfig({ envFile: null, environment })).toThrow(message);
  });

  it.each(['127.0.0.1:8403', '127.0.0.1', '[::1]:8403', 'localhost:8403', '10.0.0.7:80'])(
    'a request to %s is answered',
    (field) => {
      expect(isAddressedHost(field)).toBe(true);
    },
  );

  // a page under a name of the attacker whose address was turned to this listener (DNS rebinding)
  it.each([undefined, '', 'evil.example:8403', 'localhost.evil.example', '127.0.0.1.evil.example', 'a:b:c'])(
    'a request to %s is not',
    (field) => {
      expect(isAddressedHost(field)).toBe(false);
    },
  );
});

describe('the kept view', () => {
  it('is made once for everybody who asks within two seconds, and never twice at once', async () => {
    let nowMs = 0;
    let made = 0;
    const view = keptView({
      monotonicMs: () => nowMs,
      make: async () => {
        made += 1;
        return made;
      },
    });
    expect(await Promise.all([view(), view(), view()])).toEqual([1, 1, 1]);
    nowMs = 1999;
    expect(await view()).toBe(1);
    nowMs = 2000;
    expect(await view()).toBe(2);
  });

  it('is kept twenty times as long as it took, and shown until the next one is there', async () => {
    let nowMs = 0;
    let made = 0;
    const view = keptView({
      monotonicMs: () => nowMs,
      make: async () => {
        nowMs += 1500;
        made += 1;
        return made;
      },
    });
    expect(await view()).toBe(1);
    nowMs = 1500 + 29_999;
    expect(await view()).toBe(1);
    expect(made).toBe(1);
    nowMs += 1;
    // the next one is being made meanwhile
    expect(await view()).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await view()).toBe(2);
    // nobody has looked for long: what is shown is new
    nowMs += 30_000 + 120_000;
    expect(await view()).toBe(3);
  });

  it('a failure is not kept', async () => {
    let fails = true;
    const view = keptView({
      monotonicMs: () => 0,
      make: async () => {
        if (fails) throw new Error('away');
        return 'there';
      },
    });
    await expect(view()).rejects.toThrow('away');
    fails = false;
    expect(await view()).toBe('there');
  });
});
