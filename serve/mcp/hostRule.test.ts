import { describe, expect, it } from 'vitest';
import { type HostPolicy, hostRule } from './hostRule.ts';

const here: HostPolicy = { loopback: true, baseHost: '127.0.0.1:8402', hosts: [], origins: null };
const open: HostPolicy = {
  loopback: false,
  baseHost: 'api.example.com',
  hosts: ['mcp.example.com'],
  origins: null,
};

function admits(policy: HostPolicy, headers: { host?: string; origin?: string }): boolean {
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  try {
    hostRule(policy)(lists);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'origin_not_allowed' });
    return false;
  }
}

describe('the hosts and origins tools are called with (I4.MCP.3)', () => {
  it.each([
    ['127.0.0.1:8402', undefined, true],
    ['localhost:9', 'http://localhost:5173', true],
    ['[::1]:8402', 'http://[::1]:1', true],
    // a name of a foreign page that resolves to this machine
    ['evil.example:8402', undefined, false],
    ['127.0.0.1.evil.example', undefined, false],
    ['localhost.evil.example', undefined, false],
    ['127.0.0.1:8402', 'https://evil.example', false],
    ['127.0.0.1:8402', 'null', false],
    ['127.0.0.1:8402', 'http://localhost@evil.example', false],
    [undefined, undefined, true],
  ])('on a loopback address: Host %s, Origin %s is %s', (host, origin, expected) => {
    const headers = { ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) };
    expect(admits(here, headers)).toBe(expected);
  });

  it.each([
    ['api.example.com', 'https://anyone.example', true],
    ['API.example.com:443', undefined, true],
    ['mcp.example.com', undefined, true],
    ['192.0.2.7', undefined, false],
    ['127.0.0.1', undefined, false],
  ])('on a public address: Host %s, Origin %s is %s', (host, origin, expected) => {
    expect(admits(open, { host, ...(origin === undefined ? {} : { origin }) })).toBe(expected);
  });

  it('behind a proxy on this machine the public name counts, and pages of anyone may call', () => {
    const behind = { ...here, baseHost: 'api.example.com' };
    expect(admits(behind, { host: 'api.example.com', origin: 'https://anyone.example' })).toBe(true);
    expect(admits(behind, { host: 'other.example.com' })).toBe(false);
  });

  it('lists of origins are kept to', () => {
    const listed = { ...open, origins: ['https://app.example'] };
    expect(admits(listed, { host: 'api.example.com', origin: 'https://app.example' })).toBe(true);
    expect(admits(listed, { host: 'api.example.com', origin: 'https://anyone.example' })).toBe(false);
    expect(admits(listed, { host: 'api.example.com' })).toBe(true);
  });
});
