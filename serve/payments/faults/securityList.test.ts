import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type PaidRig, paidRig } from '../../../fixtures/rigs/paidRig.ts';
import { type Listener, listen } from '../../listen.ts';

// rows of the security list of PAYMENTS 14 that belong to no single module

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(71);
let rig: PaidRig;

beforeEach(async () => {
  rig = await paidRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  rig.facilitator.balances.set(wallet.address, 10_000_000n);
});
afterEach(() => rig.close());

describe('over a socket', () => {
  let listener: Listener | undefined;
  afterEach(stop);

  async function stop(): Promise<void> {
    await listener?.drain();
    listener = undefined;
  }

  /** A listener that is not on loopback as far as it knows. */
  async function start(trustedProxies: readonly string[] = []): Promise<Listener> {
    listener = await listen({
      host: '127.0.0.1',
      port: 0,
      loopback: false,
      trustedProxies,
      deps: rig.deps,
      onExchange: () => {},
    });
    return listener;
  }

  /** Sends header lines as they are, and reads until the server closes. */
  async function send(...lines: readonly (string | Buffer)[]): Promise<string> {
    const { port } = listener ?? (await start());
    const head = [`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...lines, '', ''];
    const bytes = Buffer.concat(head.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\r\n')])));
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes.subarray(0, -2)));
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
    });
  }
  const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1];

  it('a payment is taken from a proxy that reports TLS, and from nobody else (S22, I9.33)', async () => {
    const header = `PAYMENT-SIGNATURE: ${await rig.pay(wallet, path)}`;
    const tls = 'X-Forwarded-Proto: https';
    for (const lines of [[header], [header, tls], [header, 'Forwarded: proto=https']])
      expect(await send(...lines)).toContain('"insecure_transport"');
    await stop();
    await start(['127.0.0.1']);
    expect(await send(header)).toContain('"insecure_transport"');
    expect(await send(header, 'X-Forwarded-Proto: http')).toContain('"insecure_transport"');
    // the last hop is the one the proxy wrote itself
    expect(await send(header, 'X-Forwarded-Proto: https, http')).toContain('"insecure_transport"');
    expect(rig.facilitator.received).toEqual([]);
    expect(await send(header, tls)).toMatch(/^HTTP\/1\.1 200 /);
  });

  const spellings: readonly (readonly [string, readonly (string | Buffer)[], number, string])[] = [
    ['twice alike', ['PAYMENT-SIGNATURE: QUJD', 'payment-signature: QUJD'], 400, 'invalid_payment'],
    [
      'twice and different',
      ['PAYMENT-SIGNATURE: QUJD', 'Payment-Signature: QUJE'],
      400,
      'conflicting_credentials',
    ],
    ['folded', ['PAYMENT-SIGNATURE: QUJD', ' QUJD'], 400, 'invalid_parameter'],
    ['with a space before the colon', ['PAYMENT-SIGNATURE : QUJD'], 400, 'invalid_parameter'],
    ['with bytes above ASCII', [Buffer.from('PAYMENT-SIGNATURE: QUJ\xc4', 'latin1')], 400, 'invalid_payment'],
    ['empty', ['PAYMENT-SIGNATURE:'], 400, 'invalid_payment'],
    ['longer than 8192', [`PAYMENT-SIGNATURE: ${'QUJD'.repeat(2049)}`], 431, 'header_fields_too_large'],
    ['as long as 8192', [`PAYMENT-SIGNATURE: ${'QUJD'.repeat(2048)}`], 400, 'invalid_payment'],
    [
      'of two schemes',
      ['Authorization: Payment YQ', 'Authorization: Bearer ii1.a.b'],
      400,
      'conflicting_credentials',
    ],
    ['of two schemes in one', ['Authorization: Payment YQ, Bearer ii1.a.b'], 400, 'conflicting_credentials'],
    [
      'beside names of the object prototype',
      ['__proto__: 1', 'constructor: 1', 'toString: 1'],
      402,
      'payment_required',
    ],
  ];

  it('a credential in any spelling is answered by the table of input failures (S18, PAYMENTS 11.E)', async () => {
    const answers = [];
    for (const [name, lines] of spellings) {
      const answer = await send(...lines);
      answers.push([name, Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]), codeOf(answer)]);
    }
    expect(answers).toEqual(spellings.map(([name, , status, code]) => [name, status, code]));
    expect(rig.facilitator.received).toEqual([]);
  });
});

it('no answer lets a browser send credentials of its own, and payment headers pass both ways (S23, I9.31)', async () => {
  const answers = [
    await rig.ask(path, { method: 'OPTIONS' }),
    await rig.ask(path),
    await rig.ask(path, { headers: { 'payment-signature': await rig.pay(wallet, path) } }),
    await rig.ask('/health'),
    await rig.ask('/v1/nothing'),
    await rig.ask(path, { method: 'POST' }),
    await rig.ask('/mpp/v1/readiness'),
    await rig.ask('/help', { headers: { 'if-none-match': '*' } }),
    await rig.ask('/mcp', { method: 'POST', body: Buffer.from('{}') }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([204, 402, 200, 200, 404, 405, 503, 304, 415]);
  for (const { headers } of answers) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
    expect(headers.has('set-cookie')).toBe(false);
  }
  const [preflight, unpaid] = answers;
  expect(preflight?.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE');
  for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'WWW-Authenticate'])
    expect(unpaid?.headers.get('access-control-expose-headers')).toContain(name);
  // what a page may not read is what a browser or a cache reads (Fetch: CORS-safelisted response-header names)
  const unread =
    /^(access-control-|cache-control|content-(type|length|encoding|security-policy)|vary|accept-ranges|x-content-type)/;
  for (const { headers } of answers) {
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
    for (const name of headers.keys()) if (!unread.test(name)) expect(exposed, name).toContain(name);
  }
});

describe('a shared cache in front (S24)', () => {
  /** Keeps what RFC 9111 section 3 lets a shared cache keep, and answers from it without asking again. */
  function cached() {
    const kept = new Map<string, Awaited<ReturnType<PaidRig['ask']>>>();
    return async (target: string, headers: Record<string, string> = {}) => {
      const known = kept.get(target);
      if (known !== undefined) return known;
      const answer = await rig.ask(target, { headers });
      const control = answer.headers.get('cache-control') ?? '';
      const storable = !/no-store|private/.test(control);
      if (storable && (headers['authorization'] === undefined || /public/.test(control)))
        kept.set(target, answer);
      return answer;
    };
  }

  it('serves no payer’s answer, no challenge and no error to anybody else', async () => {
    const through = cached();
    const unpaid = await through(path);
    expect(unpaid.status).toBe(402);
    const payment = await rig.pay(wallet, path);
    expect((await through(path, { 'payment-signature': payment })).status).toBe(200);
    const tag = (await through(path, { 'payment-signature': payment })).headers.get('etag') ?? '';
    expect((await through(path, { 'payment-signature': payment, 'if-none-match': tag })).status).toBe(304);
    expect((await through(path)).status).toBe(402);
    expect((await through(path, { 'x-api-key': 'wrong' })).status).toBe(401);
    expect((await through(path)).headers.get('payment-required')).not.toBeNull();
    expect((await through(`${path}?source_date=1999-01-01`)).status).toBe(404);
    // a free document may be kept
    expect(await through('/openapi.json')).toBe(await through('/openapi.json'));
  });
});

it('nothing a request says makes this server connect elsewhere (S28)', async () => {
  let connections = 0;
  const elsewhere = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const address = elsewhere.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${path}`;
  const header = await rig.pay(wallet, path, {
    resourceUrl: url,
    accepted: { facilitator: url, extra: { name: 'USD Coin', version: '2', url } },
  });
  const answer = await rig.ask(path, {
    headers: {
      'payment-signature': header,
      host: url.slice(7),
      origin: url,
      referer: url,
      'x-forwarded-host': url.slice(7),
      'x-payment-facilitator': url,
    },
  });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(rig.facilitator.received.map((call) => call.body))).not.toContain(url.slice(7));
  expect(connections).toBe(0);
  await new Promise((resolve) => elsewhere.close(resolve));
});

it('no hint of the client opens anything (S34)', async () => {
  const hints = {
    'x-payment-mode': 'internal',
    'x-internal': 'true',
    accept: 'application/json; x402/in-band',
    'payment-response': Buffer.from('{"success":true}').toString('base64'),
    'x-payment-verified': 'true',
    'x-forwarded-for': '127.0.0.1',
  };
  for (const [name, value] of Object.entries(hints)) {
    expect((await rig.ask(path, { headers: { [name]: value } })).status).toBe(402);
    expect((await rig.ask(`${path}?paymentMode=internal`, { headers: { [name]: value } })).status).toBe(400);
  }
});

it('packages are pinned exactly, locked with their hashes, and run nothing when they are installed (S36)', () => {
  const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string> | undefined>;
  // a package may stand under another name
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
    for (const version of Object.values(manifest[kind] ?? {}))
      expect(version).toMatch(/^(npm:(@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
  type Locked = { resolved?: string; integrity?: string; dev?: boolean };
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
  const locked = Object.entries(packages).filter(([name]) => name !== '');
  for (const [name, entry] of locked)
    expect([name, entry.integrity]).toEqual([name, expect.stringMatching(/^sha512-/)]);
  // one library of payments with what it brings, which its worker uses; those of buyers are the judges' own
  const payments = locked.filter(
    ([name, { dev }]) => dev !== true && /x402|stripe|mppx|coinbase|circle/.test(name),
  );
  expect(payments.map(([name]) => name)).toEqual(['node_modules/@stripe/stripe-js', 'node_modules/mppx']);
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  const installs = read('.ci/run').match(/^npm (ci|install|i)\b.*$/gm) ?? [];
  expect(installs).toEqual([expect.stringMatching(/^npm ci --ignore-scripts /)]);
});
