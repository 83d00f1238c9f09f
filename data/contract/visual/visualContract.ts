import { z } from 'zod';
import { date, sha256 } from '../values/primitives.ts';

// The input of the visual tools (I4.VIS.5 to I4.VIS.7). Strict: what is not understood is refused.

export const diagramFamilies = [
  'layered_flow',
  'hierarchy',
  'timeline',
  'swimlane',
  'matrix',
  'network',
] as const;
export const nodeKinds = ['process', 'decision', 'store', 'actor', 'document', 'event', 'note'] as const;
export const edgeKinds = ['flow', 'dependency', 'reference', 'feedback'] as const;
export const emphases = ['none', 'primary', 'warning', 'critical'] as const;
export const visualThemes = ['light', 'dark', 'print'] as const;
export const violationCodes = [
  'label_overflow',
  'label_truncated',
  'node_overlap',
  'node_gap',
  'edge_through_node',
  'edge_clearance',
  'edge_crossings',
  'outside_viewport',
  'font_too_small',
  'low_contrast',
] as const;

/** Bytes of a serialized contract, of its metadata, and of its lists (I4.VIS.5). */
export const visualLimits = {
  contractBytes: 200 * 1024,
  metadataBytes: 8 * 1024,
  nodes: 200,
  edges: 600,
} as const;

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const within = (least: number, most: number) => z.number().int().min(least).max(most);
const text = (most: number) => z.string().min(1).max(most);
const named = z.strictObject({ id, label: text(200) });

const node = z.strictObject({
  id,
  label: text(200),
  kind: z.enum(nodeKinds).default('process'),
  group: id.optional(),
  owner: id.optional(),
  rank: within(0, 50).optional(),
  row: within(0, 50).optional(),
  column: within(0, 50).optional(),
  start: date.optional(),
  end: date.optional(),
  emphasis: z.enum(emphases).default('none'),
  source_refs: z.array(id).max(100).default([]),
});

const edge = z.strictObject({
  id: id.optional(),
  from: id,
  to: id,
  label: z.string().max(80).optional(),
  kind: z.enum(edgeKinds).default('flow'),
});

/** Text that is smaller cannot be read, even where a contract allows it (V32). */
export const leastLegiblePx = 8;

const viewportPolicy = z.strictObject({
  width: within(320, 4096),
  height: within(240, 4096),
  margin: within(0, 200).default(24),
  min_font_px: within(leastLegiblePx, 24).default(11),
  orientation: z.enum(['horizontal', 'vertical']).default('vertical'),
  overflow: z.enum(['error', 'scale']).default('error'),
});

const accessibility = z.strictObject({
  title: text(120),
  description: text(1000),
  language: z
    .string()
    .max(35)
    .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'a BCP 47 language tag')
    .default('en'),
  min_contrast: z.number().min(4.5).max(21).default(4.5),
  include_text_alternative: z.boolean().default(true),
});

const fitPolicy = z.strictObject({
  max_label_lines: within(1, 6).default(3),
  truncate: z.enum(['never', 'ellipsis']).default('never'),
  min_node_gap: within(4, 200).default(24),
  min_edge_clearance: within(0, 50).default(6),
  max_edge_crossings: z.number().int().min(0).nullable().default(null),
  fail_on: z
    .array(z.enum(violationCodes))
    .max(violationCodes.length)
    .default(['label_overflow', 'node_overlap', 'outside_viewport']),
});

export const visualContract = z.strictObject({
  diagram_id: z.string().regex(/^[a-z0-9][a-z0-9_-]{2,63}$/),
  diagram_family: z.enum(diagramFamilies),
  purpose: text(400),
  nodes: z.array(node).min(1).max(visualLimits.nodes),
  edges: z.array(edge).max(visualLimits.edges),
  viewport_policy: viewportPolicy,
  accessibility,
  fit_policy: fitPolicy,
  title: text(120).optional(),
  labels: z
    .array(z.strictObject({ id, text: text(120), anchor: id }))
    .max(100)
    .default([]),
  owners: z.array(named).max(50).default([]),
  groups: z.array(named).max(50).default([]),
  source_refs: z
    .array(
      z.strictObject({
        id,
        kind: z.enum(['filing', 'artifact', 'url']),
        locator: text(300),
        sha256: sha256.nullable().default(null),
      }),
    )
    .max(100)
    .default([]),
  receipt_binding: z
    .strictObject({
      request_id: text(128),
      receipt_id: text(128),
      evidence_hash: z.string().max(128).nullable().default(null),
    })
    .optional(),
  render_policy: z
    .strictObject({
      theme: z.enum(visualThemes).default('light'),
      font_family: z.enum(['sans', 'serif', 'mono']).default('sans'),
      show_legend: z.boolean().default(false),
    })
    .prefault({}),
  reuse_metadata: z
    .strictObject({
      tags: z.array(text(32)).max(20).default([]),
      license: z.string().max(120).nullable().default(null),
      keywords: z.array(text(64)).max(20).default([]),
      visibility: z.enum(['private', 'public']).default('private'),
    })
    .prefault({}),
  metadata: z.record(z.string().max(128), z.string()).default({}),
});

/** A contract with every default filled in (I4.VIS.9). */
export type VisualContract = z.infer<typeof visualContract>;
export type VisualNode = VisualContract['nodes'][number];
export type VisualEdge = VisualContract['edges'][number];
export type ViolationCode = (typeof violationCodes)[number];
export type DiagramFamily = (typeof diagramFamilies)[number];
