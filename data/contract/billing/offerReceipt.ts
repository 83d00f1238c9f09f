/** Name of the x402 extension of signed offers and receipts, in a challenge and in a settlement response (P2.57). */
export const offerReceipt = 'offer-receipt';

/** The form of what the extension says, as small as it may be: it travels in a header. */
export function offerReceiptSchema(member: 'offers' | 'receipt'): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { [member]: { type: member === 'offers' ? 'array' : 'object' } },
    required: [member],
  };
}
