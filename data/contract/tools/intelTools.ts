import { z } from 'zod';
import table from './intelTools.json' with { type: 'json' };

/** A tool that goes on from an answer: each argument is read from the data under its path, or the tool is not named. */
const followUp = z.strictObject({ tool: z.string(), args: z.record(z.string(), z.string()) });

/** One tool of the intel family: it calls a route and takes its parameters (I4.MCP.13). */
const intelTool = z.strictObject({
  name: z.string(),
  title: z.string(),
  /** Id of the route it calls; null where no route shows its answer: the audit status (I2.34), the help of the tools. */
  routeId: z.string().nullable(),
  /**
   * What chooses among the routes of a tool that serves several: the value of an argument of the tool's own, or, where
   * that is null, which of the named arguments is sent. The first route is the one without it (I4.MCP.13).
   */
  choice: z
    .strictObject({ argument: z.string().nullable(), routes: z.record(z.string(), z.string()) })
    .optional(),
  /** Routes with the same answers in another form of call. */
  twins: z.array(z.string()).optional(),
  /** When it is the right one among its neighbours. */
  when: z.string(),
  /** Values of arguments that are not sent, where the tool has others than its route: an answer has to fit a context. */
  defaults: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  /** Members of the data that are sent with `detail: "full"` alone, since they do not fit beside everything else. */
  leftOut: z.array(z.string()).optional(),
  /** Members of the rows of its list that are sent without `detail: "full"`: of an issuer there is a tool with all of it. */
  shortRows: z.strictObject({ list: z.string(), keep: z.array(z.string()) }).optional(),
  /** Parameters of the route that no tool needs. */
  without: z.array(z.string()).optional(),
  /** Its route costs many times as much: a public payment does not open it unless an operator says so (I4.MCP.14). */
  forKeys: z.literal(true).optional(),
  next: z.array(followUp),
});

export type FollowUp = z.infer<typeof followUp>;
export type IntelTool = z.infer<typeof intelTool>;

/** The intel tools in their order. Which of them are offered follows from the routes that are live. */
export const intelTools: readonly IntelTool[] = z.array(intelTool).parse(table.tools);

/** Tools that an API key alone opens by default. */
export const toolsForKeys: readonly string[] = intelTools.flatMap(({ name, forKeys }) =>
  forKeys === true ? [name] : [],
);

/** What arguments mean that many tools take; the list of tools has them by name alone (I4.MCP.12). */
export const sharedArguments: Readonly<Record<string, string>> = table.shared_arguments;
