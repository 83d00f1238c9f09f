import type { z } from 'zod';
import { companyFundamentals } from './companyFundamentals.ts';
import { covenantStress, covenantStressList } from './covenantStress.ts';
import * as example from './examples.ts';
import { readiness } from './readiness.ts';
import { riskDistribution } from './riskDistribution.ts';
import { topStressed } from './topStressed.ts';

/** Schema, component name and example of each payload, by the schema id of I4.31a. */
export const payloads = {
  'readiness.v1': { name: 'Readiness', schema: readiness, example: example.readinessExample },
  'risk_distribution.v1': {
    name: 'RiskDistribution',
    schema: riskDistribution,
    example: example.riskDistributionExample,
  },
  'top_stressed.v1': { name: 'TopStressed', schema: topStressed, example: example.topStressedExample },
  'company_fundamentals.v1': {
    name: 'CompanyFundamentals',
    schema: companyFundamentals,
    example: example.companyFundamentalsExample,
  },
  'covenant_stress.v1': {
    name: 'CovenantStress',
    schema: covenantStress,
    example: example.covenantStressExample,
  },
  'covenant_stress_list.v1': {
    name: 'CovenantStressList',
    schema: covenantStressList,
    example: example.covenantStressListExample,
  },
} as const satisfies Record<string, { name: string; schema: z.ZodType; example: unknown }>;

export type SchemaId = keyof typeof payloads;
