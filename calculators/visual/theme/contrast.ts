/** The WCAG 2.2 contrast ratio of two colours written `#rrggbb`, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  if (channel <= 0.04045) return channel / 12.92;
  const base = (channel + 0.055) / 1.055;
  // base ** 2.4 by allowed arithmetic alone (V3): base squared times the fifth root of base squared
  return base * base * fifthRoot(base * base);
}

function fifthRoot(value: number): number {
  let root = 1;
  for (let round = 0; round < 40; round++) root = (4 * root + value / (root * root * root * root)) / 5;
  return root;
}
