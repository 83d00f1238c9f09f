import type { z } from 'zod';
import type { variables } from './configVariables.ts';

/** How tools are called on this deployment. */
export type ToolsConfig = {
  readonly disabled: ReadonlySet<string>;
  readonly hosts: readonly string[];
  /** null: any. */
  readonly origins: readonly string[] | null;
  /** A client that names its revision is asked for payment inside the call (P10.4). */
  readonly inBandAuto: boolean;
};

/** Reads what the variables say of tools. */
export function toolsConfig(
  v: Pick<
    z.output<typeof variables>,
    'II_MCP_TOOLS_DISABLED' | 'II_MCP_HOSTS' | 'II_MCP_ORIGINS' | 'II_PAY_MCP_INBAND'
  >,
): ToolsConfig {
  return {
    disabled: new Set(listed(v.II_MCP_TOOLS_DISABLED)),
    hosts: listed(v.II_MCP_HOSTS),
    origins: v.II_MCP_ORIGINS === undefined ? null : listed(v.II_MCP_ORIGINS),
    inBandAuto: v.II_PAY_MCP_INBAND === 'auto',
  };
}

function listed(text: string | undefined): string[] {
  return text === undefined
    ? []
    : text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
}
