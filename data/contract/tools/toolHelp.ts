import { z } from 'zod';
import { usd } from '../values/primitives.ts';

/** What `intel_help` answers: every tool in a line, or all of one tool (I4.MCP.32). */
export const toolHelp = z.object({
  service: z.string(),
  how_to_use: z.array(z.string()),
  /** Arguments that mean the same wherever a tool takes them. */
  shared_arguments: z.record(z.string(), z.string()),
  tools: z.array(
    z.object({ name: z.string(), title: z.string(), price_usd: usd.nullable(), access: z.string() }),
  ),
  /** The tool that was asked for; null where none was. */
  tool: z
    .object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      price_usd: usd.nullable(),
      access: z.string(),
      /** Routes with the same answers; the first one without the tool's own argument. */
      routes: z.array(z.string()),
      input_schema: z.record(z.string(), z.unknown()),
      output_schema: z.record(z.string(), z.unknown()),
    })
    .nullable(),
});

export type ToolHelp = z.infer<typeof toolHelp>;
