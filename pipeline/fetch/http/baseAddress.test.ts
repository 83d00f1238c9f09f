import { describe, expect, it } from 'vitest';
import { requireBaseUrl, standIns } from './baseAddress.ts';

describe('stand-ins of sources', () => {
  it('are read from the environment when they are on this machine, and absent without', () => {
    expect(standIns({})).toEqual({});
    expect(standIns({ II_EDGAR_URL: '', II_COINGECKO_URL: 'http://127.0.0.1:81' })).toEqual({
      priceUrl: 'http://127.0.0.1:81',
    });
    expect(standIns({ II_EDGAR_URL: 'http://localhost:1', II_VENUE_URL: 'http://[::1]:2' })).toEqual({
      edgarUrl: 'http://localhost:1',
      venueUrl: 'http://[::1]:2',
    });
  });

  it.each([
    'https://mirror.example',
    'http://10.0.0.1:80',
    'http://127.0.0.1.example',
    'nothing',
    '//127.0.0.1',
  ])('are refused elsewhere, even over https: %s', (address) => {
    for (const name of ['II_EDGAR_URL', 'II_COINGECKO_URL', 'II_VENUE_URL'])
      expect(() => standIns({ [name]: address })).toThrow(
        `${name} is ${address}, which is not on this machine.`,
      );
  });
});

describe('a base address', () => {
  it('is https, or plain http on loopback', () => {
    expect(requireBaseUrl('https://www.sec.gov').host).toBe('www.sec.gov');
    expect(requireBaseUrl('http://127.0.0.1:8').port).toBe('8');
    expect(() => requireBaseUrl('http://www.sec.gov')).toThrow('is not an https address');
  });
});
