import { type Html, html } from './html.ts';

/**
 * The script of the reference page, its only one (V59): shows the box and, while something is typed, the sections whose
 * text holds every word of it. It asks for nothing; without it the whole list stands there.
 */
export const searchScript = `(() => {
  const box = document.querySelector('.find');
  const input = box.querySelector('input');
  const told = box.querySelector('output');
  const links = [...document.querySelectorAll('.contents a')];
  const routes = [...document.querySelectorAll('.route')].map((section) => {
    const link = links.find((one) => one.hash === '#' + section.getAttribute('aria-labelledby'));
    return { section, entry: link && link.closest('li'), text: section.textContent.toLowerCase() };
  });
  const show = () => {
    const words = input.value.toLowerCase().split(' ').filter(Boolean);
    let count = 0;
    for (const { section, entry, text } of routes) {
      const isFound = words.every((word) => text.includes(word));
      section.hidden = !isFound;
      if (entry) entry.hidden = !isFound;
      if (isFound) count += 1;
    }
    for (const group of document.querySelectorAll('.group'))
      group.hidden = words.length !== 0 && group.querySelector('.route:not([hidden])') === null;
    told.textContent = words.length === 0 ? '' : count + ' of ' + routes.length + ' routes';
  };
  input.addEventListener('input', show);
  box.hidden = false;
  show();
})();
`;

/** The box that the script shows, above the sections it selects from. */
export function searchBox(): Html {
  return html`<div class="find" role="search" hidden><label for="find">Search routes, parameters and fields</label>
<input id="find" type="search" autocomplete="off" spellcheck="false"> <output for="find"></output></div>
`;
}

/** The script as an element; it stands behind what it reads. */
export function searchElement(): Html {
  return { markup: `<script>${searchScript}</script>\n` };
}

/** Rules of the box beside those of the page. */
export const searchStyles = `
[hidden]{display:none!important}
.find label{display:block;font-weight:600}
.find input{width:100%;max-width:24rem;min-height:2.75rem;margin-top:.25rem;padding:.375rem .625rem;border:1px solid var(--quiet);border-radius:5px;background:var(--ground);color:var(--text);font:inherit}
.find output{color:var(--quiet);font-size:.875rem}
@media print{.find{display:none}}
`;
