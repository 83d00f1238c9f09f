import { z } from 'zod';

const id = z.union([z.string(), z.number()]);

/** A request of the tool endpoint as JSON-RPC 2.0 frames it (I4.MCP.1, I4.MCP.5). */
export const toolRequest = z.looseObject({
  jsonrpc: z.literal('2.0'),
  /** Absent in a notification. */
  id: id.optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

/** Its answer: a result, or an error with a problem in `data`. */
export const toolAnswer = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: id.nullable(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number().int(), message: z.string() }).optional(),
});

/** A call that anyone can make. */
export const toolRequestExample: z.infer<typeof toolRequest> = {
  jsonrpc: '2.0',
  id: 'a1',
  method: 'tools/call',
  params: { name: 'intel_company_lookup', arguments: { search: 'mstr' } },
};

/** The shape of its result, shortened. */
export const toolAnswerExample: z.infer<typeof toolAnswer> = {
  jsonrpc: '2.0',
  id: 'a1',
  result: {
    content: [{ type: 'text', text: 'Find a company.' }],
    structuredContent: { mcp_summary: 'Find a company, total 1 companies (2026-02-07).' },
    isError: false,
  },
};
