/** Identifiers of I9.1; `contractDate` is the `generated_at` of every discovery document (I4.39). */
export const versions = {
  service: 'issuer_intelligence',
  title: 'Issuer Intelligence API',
  api: '1.0.0',
  contractRevision: 'ii-contract-1.0',
  contractDate: '2026-11-21T00:00:00Z',
  pricing: 'pricing-contract-v1',
  fieldContract: 'field-contract-v1',
  billing: 'billing-v1',
  notFound: 'not-found-v1',
  settlementReceipt: 'settlement_receipt.v1',
} as const;
