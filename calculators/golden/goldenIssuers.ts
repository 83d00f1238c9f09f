import type { ChargeLevel, DischargeRisk, RiskTier } from '../../contract/enums.ts';
import { ExactDecimal } from '../../contract/exactDecimal.ts';
import type { CoinMix } from '../stress/coinMix.ts';

// The golden issuers of METHODOLOGY M12.11: filed figures in whole USD and the digits they must give.
// Each row names its filing below https://www.sec.gov/Archives/edgar/data/ where one document is known; CLSK and
// FLD rest on the companyfacts of the registrant.

/** ticker | cik | period | current debt | noncurrent debt | coins | assets | liabilities | equity | coins by asset | filing */
const inputs = `
MSTR | 0001050446 | 2025-09-30 | 316000 | 8173587000 | 73205725000 | 73619038000 | 15501990000 | 52330718000 | BTC 1 | 1050446/000119312525262568/
CLSK | 0000827876 | 2025-06-30 | 176424000 | 643913000 | 1079754000 | 3101817000 | 954929000 | 2146888000 | BTC 1 | 
DFDV | 0001805526 | 2025-09-30 | 70598000 | 131444000 | 453719000 | 479954000 | 236150000 | 243804000 | SOL 1 | 1805526/000119312525286660/dfdv-20250930.htm
BTBT | 0001710350 | 2025-09-30 | 0 | 196345 | 423682364 | 1133084610 | 87503224 | 906153675 | ETH 422988896,BTC 693468 | 1710350/000121390025110383/ea0263546-10q_bitdigital.htm
FLD | 0001889123 | 2025-09-30 | 0 | 82394322 | 179688082 | 190966112 | 96276871 | 94689241 | BTC 1 | 
NAKA | 0001946573 | 2025-09-30 | 203017500 | 0 | 615798837 | 692421574 | 214859489 | 477562085 | BTC 1 | 1946573/000149315225024260/form10-q.htm
UPXI | 0001775194 | 2025-09-30 | 55940910 | 143161862 | 400825831 | 419728167 |  | 210791832 | SOL 1 | 1775194/000147793225008025/upxi_10q.htm
HSDT | 0001610853 | 2025-09-30 | 0 | 0 | 350175000 | 475920000 | 628312000 | -152392000 | SOL 1 | 1610853/000110465925113714/hsdt-20250930x10q.htm
BTCS | 0001436229 | 2025-09-30 | 56500000 | 11099589 | 293180682 | 298855352 | 73450855 | 225404497 | ETH 1 | 1436229/000149315225022359/form10-q.htm
KULR | 0001662684 | 2025-09-30 | 3800000 | 0 | 120523261 | 156062814 | 8105188 | 147957626 | BTC 1 | 1662684/000110465925113662/tmb-20250930x10q.htm
BMNR | 0001829311 | 2025-11-30 | 0 | 0 | 10561789000 | 11487275000 | 235743000 | 11251532000 | ETH 10544339,BTC 17450 | 1829311/000149315226002084/form10-q.htm
LITS | 0001262104 | 2025-09-30 | 0 | 0 | 99369000 | 113337000 | 1068000 | 112269000 | LTC 1 | 1262104/000119312525283111/lits-20250930.htm
FGNX | 0001591890 | 2025-09-30 | 1918000 | 0 | 210435000 | 244737000 | 13716000 |  | ETH 1 | 1591890/000149315225023550/form10-q.htm
`;

/** ticker | coins | stress 30 | 50 | 70 | headroom | breach probability | charge | discharge | tier | shocked equity negative */
const filing = `
MSTR | 73205725000 | 0.159509 | 0.223313 | 0.372189 | 0.656441 | 0.003326 | Low | Low | LOW | no
CLSK | 1079754000 | 1.085349 | 1.519489 | 2.532481 | -1.337675 | 1.0 | Critical | High | CRITICAL | no
DFDV | 453719000 | 0.636146 | 0.890604 | 1.48434 | -0.37016 | 0.674307 | Critical | High | HIGH | no
BTBT | 423682364 | 0.000662 | 0.000927 | 0.001545 | 0.998574 | 0.0 | Low | Low | LOW | no
FLD | 179688082 | 0.655058 | 0.917082 | 1.528469 | -0.410895 | 0.560878 | Critical | High | HIGH | no
NAKA | 615798837 | 0.470974 | 0.659363 | 1.098938 | -0.014405 | 0.257883 | Elevated | High | HIGH | no
UPXI | 400825831 | 0.709616 | 0.993463 | 1.655771 | -0.528404 | 0.76509 | Critical | High | HIGH | no
HSDT | 350175000 | 0.0 | 0.0 | 0.0 | 1.0 | 0.0 | Low | Low | LOW | no
BTCS | 293180682 | 0.32939 | 0.461146 | 0.768577 | 0.290544 | 0.167011 | Low | Medium | LOW | no
KULR | 120523261 | 0.045042 | 0.063058 | 0.105097 | 0.902987 | 0.0 | Low | Low | LOW | no
BMNR | 10561789000 | 0.0 | 0.0 | 0.0 | 1.0 | 0.0 | Low | Low | LOW | no
LITS | 99369000 | 0.0 | 0.0 | 0.0 | 1.0 | 0.0 | Low | Low | LOW | no
FGNX | 210435000 | 0.013021 | 0.018229 | 0.030382 | 0.971956 | 0.0 | Low | Low | LOW | no
`;

/** As above with coins at the closes of 2026-02-07. */
const live = `
MSTR | 44910279061 | 0.260007 | 0.36401 | 0.606684 | 0.439984 | 0.033875 | Low | Low | LOW | no
CLSK | 705107951 | 1.662029 | 2.326841 | 3.878068 | -2.579755 | 1.0 | Critical | High | CRITICAL | no
DFDV | 187855967 | 1.536451 | 2.151031 | 3.585052 | -2.309278 | 1.0 | Critical | High | CRITICAL | yes
BTBT | 208706435 | 0.001344 | 0.001882 | 0.003136 | 0.997105 | 0.0 | Low | Low | LOW | no
FLD | 110235120 | 1.067774 | 1.494883 | 2.491472 | -1.299821 | 1.0 | Critical | High | CRITICAL | yes
NAKA | 377780530 | 0.767708 | 1.074791 | 1.791318 | -0.653524 | 0.751195 | Critical | High | CRITICAL | no
UPXI | 165956295 | 1.7139 | 2.39946 | 3.999101 | -2.691477 | 1.0 | Critical | High | CRITICAL | yes
HSDT | 144985031 | 0.0 | 0.0 | 0.0 | 1.0 | 0.0 | Low | Low | LOW | no
BTCS | 144363051 | 0.668944 | 0.936522 | 1.56087 | -0.440803 | 0.661921 | Critical | High | HIGH | no
KULR | 73938661 | 0.07342 | 0.102788 | 0.171313 | 0.841865 | 2.3e-05 | Low | Low | LOW | no
BMNR | 7207996406 | 0.0 | 0.0 | 0.0 | 1.0 | 0.0 | Low | Low | LOW | no
LITS | 50586333 | 0.0 | 0.0 | 0.0 | 1.0 | 0.0 | Low | Low | LOW | no
FGNX | 103618828 | 0.026443 | 0.03702 | 0.0617 | 0.943046 | 2e-06 | Low | Low | LOW | no
`;

export type GoldenInputs = {
  readonly ticker: string;
  readonly cik: string;
  readonly period: string;
  readonly currentDebt: ExactDecimal;
  readonly noncurrentDebt: ExactDecimal;
  readonly crypto: ExactDecimal;
  readonly assets: ExactDecimal;
  readonly liabilities: ExactDecimal | null;
  readonly equity: ExactDecimal | null;
  readonly mix: CoinMix;
  readonly filing: string;
};

export type GoldenFigures = {
  readonly crypto: ExactDecimal;
  readonly stress30: number;
  readonly stress50: number;
  readonly stress70: number;
  readonly headroom: number;
  readonly breachProbability: number;
  readonly chargeLevel: ChargeLevel;
  readonly dischargeRisk: DischargeRisk;
  readonly riskTier: RiskTier;
  readonly shockedEquityNegative: boolean;
};

export type GoldenIssuer = {
  readonly inputs: GoldenInputs;
  readonly filing: GoldenFigures;
  readonly live: GoldenFigures;
};

/** Daily closes of the cryptocompare source on the days the golden issuers need (M2.13). */
export const goldenCloses = [
  { date: '2025-06-30', asset: 'BTC', close: 107169.82, source: 'cryptocompare' },
  { date: '2025-06-30', asset: 'ETH', close: 2486.37, source: 'cryptocompare' },
  { date: '2025-06-30', asset: 'SOL', close: 154.88, source: 'cryptocompare' },
  { date: '2025-06-30', asset: 'LTC', close: 86.01, source: 'cryptocompare' },
  { date: '2025-09-30', asset: 'BTC', close: 114078.18, source: 'cryptocompare' },
  { date: '2025-09-30', asset: 'ETH', close: 4146.38, source: 'cryptocompare' },
  { date: '2025-09-30', asset: 'SOL', close: 208.75, source: 'cryptocompare' },
  { date: '2025-09-30', asset: 'LTC', close: 106.88, source: 'cryptocompare' },
  { date: '2025-11-30', asset: 'BTC', close: 90381.34, source: 'cryptocompare' },
  { date: '2025-11-30', asset: 'ETH', close: 2992.33, source: 'cryptocompare' },
  { date: '2025-11-30', asset: 'SOL', close: 133.49, source: 'cryptocompare' },
  { date: '2025-11-30', asset: 'LTC', close: 82.38, source: 'cryptocompare' },
  { date: '2026-02-07', asset: 'BTC', close: 69984.73, source: 'cryptocompare' },
  { date: '2026-02-07', asset: 'ETH', close: 2041.69, source: 'cryptocompare' },
  { date: '2026-02-07', asset: 'SOL', close: 86.43, source: 'cryptocompare' },
  { date: '2026-02-07', asset: 'LTC', close: 54.41, source: 'cryptocompare' },
] as const;

/** The thirteen golden issuers (M12.11). */
export function goldenIssuers(): GoldenIssuer[] {
  const [base, repriced] = [cells(filing), cells(live)];
  return cells(inputs).map((row, i) => ({
    inputs: inputsOf(row),
    filing: figuresOf(base[i] ?? []),
    live: figuresOf(repriced[i] ?? []),
  }));
}

function inputsOf(row: readonly string[]): GoldenInputs {
  const [ticker = '', cik = '', period = '', current = '', noncurrent = ''] = row;
  const [crypto = '', assets = '', liabilities = '', equity = '', mix = '', source = ''] = row.slice(5);
  return {
    ticker,
    cik,
    period,
    currentDebt: ExactDecimal.parse(current),
    noncurrentDebt: ExactDecimal.parse(noncurrent),
    crypto: ExactDecimal.parse(crypto),
    assets: ExactDecimal.parse(assets),
    liabilities: ExactDecimal.tryParse(liabilities),
    equity: ExactDecimal.tryParse(equity),
    mix: mix.split(',').map((part) => {
      const [asset = '', amount = ''] = part.split(' ');
      return { asset, amount: ExactDecimal.parse(amount) };
    }),
    filing: source,
  };
}

function figuresOf(row: readonly string[]): GoldenFigures {
  const [, crypto = '', ...rest] = row;
  const [stress30, stress50, stress70, headroom, breachProbability] = rest.slice(0, 5).map(Number);
  const [charge, discharge, tier, isNegative] = rest.slice(5);
  return {
    crypto: ExactDecimal.parse(crypto),
    stress30: stress30 ?? Number.NaN,
    stress50: stress50 ?? Number.NaN,
    stress70: stress70 ?? Number.NaN,
    headroom: headroom ?? Number.NaN,
    breachProbability: breachProbability ?? Number.NaN,
    chargeLevel: charge as ChargeLevel,
    dischargeRisk: discharge as DischargeRisk,
    riskTier: tier as RiskTier,
    shockedEquityNegative: isNegative === 'yes',
  };
}

function cells(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}
