import type { Route } from '../routes/route.ts';
import type { Deployment } from './deployment.ts';

// the doors that other programs look for under fixed names

/** `/robots.txt` (I4.F26.1, RFC 9309): documents may be read by everyone; what is sold is no page. */
export function emitRobots(routes: readonly Route[]): string {
  const open = routes.filter(
    ({ family, method, answer, path }) =>
      family === 'free' && method === 'GET' && answer?.kind === 'document' && path !== '/robots.txt',
  );
  return [
    'User-agent: *',
    ...open.map(({ path }) => `Allow: ${path}`),
    'Allow: /companies',
    ...['/v1/', '/mpp/', '/mcp', '/checkout/'].map((prefix) => `Disallow: ${prefix}`),
    '',
  ].join('\n');
}

const dayMs = 86_400_000;
/** RFC 9116 asks for less than a year; it moves on every day, so a file that is kept too long shows it. */
const termDays = 60;

/** `/.well-known/security.txt` (I4.F27.1, RFC 9116). `contact` is a URI. */
export function emitSecurityText(
  { baseUrl }: Deployment,
  { contact, nowMs }: { contact: string; nowMs: number },
): string {
  const end = (Math.floor(nowMs / dayMs) + termDays) * dayMs;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(end).toISOString().replace('.000', '')}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}

const side = 16;
/** Columns of the mark, as their height in pixels: a balance that shrinks. */
const heights = [14, 10, 6];
const ink = [0x4a, 0x3a, 0x1f, 0xff] as const;

/** `/favicon.ico` (I4.F28.1): sixteen pixels square, 32 bits each. */
export function emitIcon(): Uint8Array {
  const [directory, header, pixels, mask] = [22, 40, side * side * 4, side * 4];
  const icon = new Uint8Array(directory + header + pixels + mask);
  const view = new DataView(icon.buffer);
  // one image: its size, planes, bits a pixel, bytes and place
  icon.set([0, 0, 1, 0, 1, 0, side, side, 0, 0, 1, 0, 32, 0]);
  view.setUint32(14, icon.length - directory, true);
  view.setUint32(18, directory, true);
  view.setUint32(22, header, true);
  view.setInt32(26, side, true);
  // twice the height: the mask lies below
  view.setInt32(30, side * 2, true);
  view.setUint16(34, 1, true);
  view.setUint16(36, 32, true);
  // rows of a bitmap begin at the foot
  for (const [column, height] of heights.entries())
    for (let y = 1; y <= height; y++)
      for (let x = 1 + column * 5; x < 5 + column * 5; x++)
        icon.set(ink, directory + header + (y * side + x) * 4);
  return icon;
}
