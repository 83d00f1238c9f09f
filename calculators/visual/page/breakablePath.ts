import { type Html, html } from './html.ts';

/** A path that may break before its slashes. */
export function breakablePath(path: string): Html[] {
  return path.split(/(?=\/)/).map((part, i) => (i === 0 ? html`${part}` : html`<wbr>${part}`));
}
