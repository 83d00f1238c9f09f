import { expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import { assessStress } from '../stress/assessStress.ts';

const parameters = registryParameters;
const noCoins = '0';

// METHODOLOGY M12.1: debt and coins in USD M, or coins as units × close; bands without equity
it.each([
  ['MSTR 2021-12-31', '2155.151', ['124391', '45879.97'], 0.755258, 'Elevated', 'HIGH'],
  ['MSTR 2022-12-31', '2379.014', ['132500', '16556.32'], 2.168939, 'Critical', 'CRITICAL'],
  ['MSTR 2023-12-31', '2182.591', ['189150', '42531.41'], 0.542608, 'Elevated', 'MODERATE'],
  ['MSTR 2024-12-31', '7191.675', ['41790.421'], 0.344178, 'Low', 'LOW'],
  ['MSTR 2025-09-30', '8173.903', ['73205.725'], 0.223313, 'Low', 'LOW'],
  ['MSTR–Silvergate at close', '205', ['820'], 0.5, 'Elevated', 'MODERATE'],
  ['CORZ 2022-10-31', '1050', ['1.271'], 1000, 'Critical', 'CRITICAL'],
  ['ARBK 2022-06-30, BTC-backed loan', '22', ['1953', '19785'], 1.138713, 'Critical', 'CRITICAL'],
  ['IREN 2022-11', '107.8', [noCoins], 1000, 'Critical', 'UNCLASSIFIED'],
  ['GREE 2022-12', '74.4', [noCoins], 1000, 'Critical', 'UNCLASSIFIED'],
  ['MARA 2022-12, Silvergate loan', '50', ['75'], 1.333333, 'Critical', 'CRITICAL'],
  ['MARA 2023-12-31', '325.654', ['639.66'], 1.01821, 'Critical', 'CRITICAL'],
  ['MARA 2024-12-31', '2446.578', ['4196.752'], 1.165939, 'Critical', 'CRITICAL'],
  ['MARA 2025-09-30', '3247.561', ['6032.19'], 1.076744, 'Critical', 'CRITICAL'],
  ['CLSK 2024-12-31', '648.648', ['929.08'], 1.396323, 'Critical', 'CRITICAL'],
  ['CLSK 2025-06-30', '820.337', ['1079.754'], 1.519489, 'Critical', 'CRITICAL'],
] as const)(
  '%s: debt %s M gives the band of the reference table',
  (_, debt, coins, stress50, charge, tier) => {
    const [amount, close] = coins.map((text) => ExactDecimal.parse(text));
    const million = ExactDecimal.parse('1e6');
    const crypto =
      close === undefined ? (amount?.times(million) ?? ExactDecimal.zero) : (amount?.times(close) ?? million);
    const figures = assessStress(
      { debt: ExactDecimal.parse(debt).times(million), crypto, equity: null, mix: [] },
      { proof: 'proven', unclassified: crypto.sign === 0, parameters },
    );
    expect(figures.stress50).toBe(stress50);
    expect(figures.covenant?.chargeLevel).toBe(charge);
    expect(figures.riskTier).toBe(tier);
  },
);
