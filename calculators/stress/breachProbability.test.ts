import { expect, it } from 'vitest';
import { complementaryErrorFunction } from './breachProbability.ts';

// reference values of the C library
it.each([
  [0, 1],
  [0.1, 0.8875370839817152],
  [0.5, 0.4795001221869535],
  [1, 0.15729920705028513],
  [1.5, 0.033894853524689274],
  [1.999, 0.004698443348629488],
  [2, 0.004677734981047265],
  [2.5, 0.0004069520174449589],
  [3, 2.209049699858544e-5],
  [4, 1.541725790028002e-8],
  [5, 1.5374597944280351e-12],
  [10, 2.088487583762545e-45],
  [20, 5.395865611607901e-176],
])('erfc(%d) is %d within 1e-12 of its value', (x, expected) => {
  expect(Math.abs(complementaryErrorFunction(x) / expected - 1)).toBeLessThan(1e-12);
});

it('vanishes where a double cannot hold it', () => {
  expect(complementaryErrorFunction(40)).toBe(0);
});
