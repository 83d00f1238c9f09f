/** How text stands on the page: what an element hands on to all it holds. */
export type Look = {
  /** The colour of the text, where the markup states one. */
  readonly ink: Colour | null;
  /** The colour behind it; null where it is a picture or blended. */
  readonly paper: Colour | null;
  /** Letters of nearly no height. */
  readonly isTiny: boolean;
};
type Colour = readonly [red: number, green: number, blue: number];

export const pageLook: Look = { ink: null, paper: [255, 255, 255], isTiny: false };

/** Attributes of an element that say how its text looks. */
export type LookAttributes = {
  readonly style?: string | undefined;
  readonly color?: string | undefined;
  readonly bgcolor?: string | undefined;
};

const far = '-?(?:[5-9]\\d\\d|\\d{4,9})(?:\\.\\d{1,9})? {0,9}(?:px|pt)|-?\\d{3,9}(?:\\.\\d{1,9})? {0,9}r?em';
const edge = '[01](?:px|pt)?[ ,]{1,9}';
/** Declarations that no element within can undo. */
const hiding = new RegExp(
  [
    'display:none',
    'visibility:(?:hidden|collapse)',
    'text-decoration(?:-line)?:[^;]{0,60}line-through',
    'opacity:(?:0{1,9}|0{0,9}\\.0{1,9})%?(?![\\d.])',
    'filter:[^;]{0,60}opacity\\(0(?![\\d.])',
    `text-indent:(?:${far})`,
    `(?:left|right|top|bottom|margin|margin-left|margin-top):(?:${far.replaceAll('-?', '-')})`,
    `clip:rect\\( ?${edge.repeat(3)}[01](?:px|pt)? ?\\)`,
    'clip-path:(?:inset\\( ?(?:[5-9]\\d|100)%|circle\\( ?0(?![\\d.])|polygon\\( ?0)',
    'transform:[^;]{0,60}scale[xy]?\\( ?0(?![\\d.])',
  ]
    .map((declaration) => `(?:^|;)${declaration}`)
    .join('|'),
);
const noRoom = /(?:^|;)(?:max-)?(?:height|width):[01](?:px|pt)?(?![\d.%])/;
const cutOff = /(?:^|;)overflow(?:-[xy])?:(?:hidden|clip)/;

/** True where a style hides all that stands in its element: out of sight, struck through, of no size (M17.2). */
export function isHiding(style: string): boolean {
  const plain = plainStyle(style);
  return hiding.test(plain) || (noRoom.test(plain) && cutOff.test(plain));
}

/** The look of what stands in an element. */
export function lookWithin(look: Look, { style, color, bgcolor }: LookAttributes): Look {
  if (style === undefined && color === undefined && bgcolor === undefined) return look;
  const plain = plainStyle(style ?? '');
  const behind = declared(plain, 'background-color') ?? declared(plain, 'background') ?? bgcolor;
  const ink = declared(plain, 'color') ?? color;
  return {
    ink: ink === undefined ? look.ink : inkOf(ink, look),
    paper: behind === undefined ? look.paper : paperOf(behind, look),
    isTiny: tinyOf(declared(plain, 'font-size') ?? declared(plain, 'font'), look),
  };
}

/** True for text that a reader of the page does not see: of nearly no height, or of the colour behind it. */
export function isUnseen({ ink, paper, isTiny }: Look): boolean {
  if (isTiny) return true;
  if (ink === null || paper === null) return false;
  return ink.every((part, at) => Math.abs(part - (paper[at] ?? 0)) <= nearlySame);
}

/** Colours this near, in parts of 255, look the same. */
const nearlySame = 12;

function plainStyle(style: string): string {
  return style
    .toLowerCase()
    .replace(/\s{1,2000}|\/\*.{0,200}?\*\//g, ' ')
    .replace(/ ?([:;]) ?/g, '$1')
    .trim();
}

function declared(plain: string, property: string): string | undefined {
  const values = plain.split(';').filter((one) => one.startsWith(`${property}:`));
  return values
    .at(-1)
    ?.slice(property.length + 1)
    .replace(/ ?!important$/, '');
}

const pixels: Readonly<Record<string, number>> = {
  ...{ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78, q: 0.945, rem: 16, vw: 10, vh: 10 },
};
const leastPixels = 2;
const namedSize = /(?:^| )(?:xx?-small|small|medium|large|x{1,3}-large)(?: |$)/;

function tinyOf(size: string | undefined, { isTiny }: Look): boolean {
  if (size === undefined) return isTiny;
  // of `700 10pt/1.2 serif` the number with a unit is the size
  const [, text, unit = ''] =
    /(?:^| )(\d{0,9}\.?\d{1,9})(px|pt|pc|in|cm|mm|q|r?em|ex|ch|vw|vh|%)(?:[ /]|$)/.exec(size) ??
    /^(0{1,9}(?:\.0{1,9})?)$/.exec(size) ??
    [];
  if (text === undefined) return isTiny && !namedSize.test(size);
  const value = Number(text);
  const each = pixels[unit];
  if (value === 0 || each !== undefined) return value * (each ?? 0) < leastPixels;
  return isTiny || value < (unit === '%' ? 10 : 0.1);
}

function inkOf(text: string, { ink, paper }: Look): Colour | null {
  const colour = colourOf(text);
  // text without a colour of its own lets what is behind it through
  return colour === 'none' ? paper : (colour ?? ink);
}

function paperOf(text: string, { paper }: Look): Colour | null {
  if (/url\(|gradient/.test(text)) return null;
  const colour = text
    .split(/ (?![^(]*\))/)
    .map(colourOf)
    .find((one) => one !== undefined);
  return colour === 'none' || colour === undefined ? paper : colour;
}

/** A colour, `none` for one that cannot be seen, null for one that is blended; undefined for another word. */
function colourOf(word: string): Colour | 'none' | null | undefined {
  const text = word.trim().toLowerCase();
  const hex = /^#?([0-9a-f]{3,8})$/.exec(text)?.[1];
  if (hex !== undefined && (hex.length === 6 || text.startsWith('#'))) return hexColour(hex);
  const parts =
    /^rgba?\( ?(\d{1,3}%?)[ ,]{1,3}(\d{1,3}%?)[ ,]{1,3}(\d{1,3}%?)(?:[ ,/]{1,3}([\d.]{1,9}%?))? ?\)$/.exec(
      text,
    );
  if (parts === null) return text === 'transparent' ? 'none' : named.get(text);
  const [, red = '', green = '', blue = '', alpha] = parts;
  const seen = alpha === undefined ? 1 : shareOf(alpha, 1);
  if (seen === 0) return 'none';
  return seen < 1 ? null : [shareOf(red, 255), shareOf(green, 255), shareOf(blue, 255)];
}

function shareOf(text: string, whole: number): number {
  return text.endsWith('%') ? (Number(text.slice(0, -1)) / 100) * whole : Number(text);
}

function hexColour(hex: string): Colour | 'none' | null | undefined {
  const digits = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex;
  if (digits.length === 8 && !digits.endsWith('ff')) return digits.endsWith('00') ? 'none' : null;
  if (digits.length !== 6 && digits.length !== 8) return undefined;
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
}

const named: ReadonlyMap<string, Colour> = new Map([
  ['white', [255, 255, 255]],
  ['snow', [255, 250, 250]],
  ['ivory', [255, 255, 240]],
  ['ghostwhite', [248, 248, 255]],
  ['whitesmoke', [245, 245, 245]],
  ['black', [0, 0, 0]],
  ['navy', [0, 0, 128]],
  ['blue', [0, 0, 255]],
  ['red', [255, 0, 0]],
  ['green', [0, 128, 0]],
  ['gray', [128, 128, 128]],
  ['grey', [128, 128, 128]],
  ['silver', [192, 192, 192]],
  ['yellow', [255, 255, 0]],
  ['orange', [255, 165, 0]],
]);
