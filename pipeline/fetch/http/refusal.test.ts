import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Exchange } from './readAnswer.ts';
import { isNotServedHere, readRefusal, refusalCause, withCause } from './refusal.ts';

const accessDenied =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
const page = (title: string) => `<!DOCTYPE html><html><head><title>${title}</title></head></html>`;

describe('the cause of a refusal', () => {
  it.each([
    ['a key that is not there yet', 403, accessDenied, 'absent'],
    [
      'an undeclared agent',
      403,
      page('SEC.gov | Your Request Originates from an Undeclared Automated Tool'),
      'agent',
    ],
    ['the request rate in a 403', 403, page('SEC.gov | Request Rate Threshold Exceeded'), 'rate'],
    ['a 429 without a word', 429, '', 'rate'],
    [
      'a venue that is closed to a country',
      451,
      '{"code":0,"msg":"Service unavailable from a restricted location"}',
      'country',
    ],
    [
      'a CDN that is closed to a country',
      403,
      'The distribution is configured to block access from your country.',
      'country',
    ],
    ['a 451 without a word', 451, '', 'country'],
    ['a block page with status 200', 200, page('SEC.gov | Request Rate Threshold Exceeded'), 'rate'],
    ['another page', 503, page('Be right\n back'), 'page'],
  ])('is named for %s', (_, status, text, kind) => {
    expect(refusalCause({ status, text })?.kind).toBe(kind);
  });

  it.each([
    ['a document that speaks of rates', 200, '<xbrl>too many requests for redemption</xbrl>'],
    ['a store that answers AccessDenied with a body sent', 200, accessDenied],
    ['a 403 without a word', 403, ''],
    ['words behind the first four kilobytes', 403, `${' '.repeat(4096)}Undeclared Automated Tool`],
  ])('is not guessed for %s', (_, status, text) => {
    expect(refusalCause({ status, text })).toBeNull();
  });

  it('quotes the title of a page on one line', () => {
    expect(refusalCause({ status: 502, text: page('Bad\n  gateway') })?.words).toBe(
      'it sent a page for people ("Bad gateway")',
    );
  });
});

describe('a reason that was told', () => {
  it('says whether the host does not serve this country', () => {
    const told = (status: number) => withCause(`answered ${status}`, refusalCause({ status, text: '' }));
    expect(isNotServedHere(`${told(451)}.`)).toBe(true);
    expect(isNotServedHere(told(429))).toBe(false);
    expect(isNotServedHere(null)).toBe(false);
  });
});

describe('reading a refusal', () => {
  const exchange = (chunks: AsyncIterable<Uint8Array>, headers: Record<string, string> = {}) => {
    let dropped = 0;
    const one: Exchange = {
      status: 403,
      headers,
      body: chunks,
      drop: () => {
        dropped += 1;
        return Promise.resolve();
      },
    };
    return { one, dropped: () => dropped };
  };

  it('takes four kilobytes of a body without end and drops the rest', async () => {
    let read = 0;
    const endless = (async function* () {
      for (;;) {
        read += 1024;
        yield Buffer.alloc(1024, ' ');
      }
    })();
    const { one, dropped } = exchange(endless);
    expect(await readRefusal(one)).toBeNull();
    expect([read, dropped()]).toEqual([4096, 1]);
  });

  it('reads a refusal that comes as gzip although identity was asked for', async () => {
    const coded = (async function* () {
      yield gzipSync(page('SEC.gov | Your Request Originates from an Undeclared Automated Tool'));
    })();
    expect((await readRefusal(exchange(coded, { 'content-encoding': 'gzip' }).one))?.kind).toBe('agent');
  });

  it('survives a line that fails inside the refusal', async () => {
    const broken = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<Error><Code>AccessDenied</Code>');
      throw new Error('reset');
    })();
    expect((await readRefusal(exchange(broken).one))?.kind).toBe('absent');
  });
});
