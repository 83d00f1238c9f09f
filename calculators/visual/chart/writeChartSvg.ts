import type { Cpx } from '../geometry/rect.ts';
import type { PathCommand } from '../geometry/segment.ts';
import type { SceneItem } from '../scene/scene.ts';
import { writeSvg } from '../scene/writeSvg.ts';
import type { ThemeName } from '../theme/tokens.ts';
import { cleanText, type TextStyle } from '../type/measureText.ts';
import { wrapText } from '../type/wrapText.ts';
import { type Chart, sceneOf } from './chart.ts';
import { label, styles } from './chartPen.ts';

/**
 * Writes a chart as SVG: the colours of the theme as attributes, beside them role classes so that the sheet of a page
 * wins (V54). With `faces: 'none'` the page carries the faces and the text rule of V10.
 *
 * @param idPrefix starts every id in the file; a letter first.
 */
export function writeChartSvg(
  { id, title, desc, scene }: Chart,
  { theme, idPrefix, faces }: { theme: ThemeName; idPrefix: string; faces: 'none' | 'embedded' },
): string {
  return writeSvg(scene, {
    id: `${idPrefix}${id}`,
    language: 'en',
    title: cleanText(title),
    description: cleanText(desc),
    theme,
    family: 'sans',
    faces,
    roleClasses: true,
  });
}

const margin: Cpx = 1_600;
const heading: TextStyle = { face: 'sans-600', size: 1_700 };

/** The chart with its finding and sentence above it and a margin around it, for a file that stands alone. */
export function withHeading(chart: Chart): Chart {
  const { scene, finding, sentence } = chart;
  const lines = [
    ...wrapped(finding, heading, scene.width).map((text) => ({ text, style: heading, height: 2_300 })),
    ...wrapped(sentence, styles.base, scene.width).map((text) => ({
      text,
      style: styles.base,
      height: 1_800,
    })),
  ];
  let y = margin;
  const words = lines.map(({ text, style, height }) => {
    y += height;
    return label({ text, x: margin, baseline: y - 500, style, colour: style === heading ? 'text' : 'quiet' });
  });
  const by = { x: margin, y: y + 1_200 };
  return {
    ...chart,
    scene: sceneOf({
      width: scene.width + 2 * margin,
      height: by.y + scene.height + margin,
      items: [...words, ...scene.items.map((item) => moved(item, by))],
    }),
  };
}

/** What the margins take of the width of a file, in px. */
export const headingMargins = (2 * margin) / 100;

function wrapped(text: string, style: TextStyle, max: Cpx): readonly string[] {
  return wrapText(cleanText(text), { ...style, max }).lines;
}

function moved(item: SceneItem, { x: right, y: down }: { x: Cpx; y: Cpx }): SceneItem {
  switch (item.type) {
    case 'text':
      return { ...item, x: item.x + right, baseline: item.baseline + down };
    case 'rect':
    case 'shape':
      return { ...item, box: { ...item.box, x: item.box.x + right, y: item.box.y + down } };
    case 'line':
      return { ...item, points: item.points.map(({ x, y }) => ({ x: x + right, y: y + down })) };
    case 'path':
      return { ...item, commands: item.commands.map((command) => movedCommand(command, right, down)) };
  }
}

function movedCommand(command: PathCommand, right: Cpx, down: Cpx): PathCommand {
  if (command.to === 'close') return command;
  const placed = { ...command, x: command.x + right, y: command.y + down };
  return placed.to === 'curve' ? { ...placed, cx: placed.cx + right, cy: placed.cy + down } : placed;
}
