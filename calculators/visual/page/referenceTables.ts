import type { FieldContract } from '../../../data/contract/emit/fieldContractSchema.ts';
import { parameterSchema } from '../../../data/contract/emit/parameterSchema.ts';
import type { Param } from '../../../data/contract/routes/route.ts';
import { fieldUnit } from './fieldUnit.ts';
import { type Html, html } from './html.ts';

type Field = FieldContract['fields'][number];

/** The parameters of a route as a table; null without any. */
export function parameterTable(params: readonly Param[]): Html | null {
  if (params.length === 0) return null;
  return definitions({
    caption: 'Parameters',
    columns: ['Name', 'In', 'Takes', 'Meaning'],
    rows: params.map((param) => [
      param.name,
      html`${param.in}${param.required ? html`, <strong>required</strong>` : null}`,
      html`${takes(param)}`,
      html`${param.description}`,
    ]),
  });
}

function takes(param: Param): string {
  const {
    type,
    enum: values,
    minimum,
    maximum,
    minLength,
    maxLength,
    default: byDefault,
    format,
  } = parameterSchema(param) as Readonly<Record<string, string | number | readonly (string | number)[]>>;
  const kind = Array.isArray(values) ? values.join(', ') : String(format ?? type);
  const range = minimum === undefined ? '' : ` ${minimum} to ${maximum}`;
  const length = minLength === undefined ? '' : `, ${minLength} to ${maxLength} characters`;
  return `${kind}${range}${length}${byDefault === undefined ? '' : `; default ${byDefault}`}`;
}

/** Members of an answer as a table: type, unit, whether null, meaning. */
export function fieldTable(fields: readonly Field[], caption: string): Html {
  return definitions({
    caption,
    columns: ['Field', 'Type', 'Unit', 'Null', 'Meaning'],
    rows: fields.map((field) => {
      const { path, type, nullable, required, description, enum: values } = field;
      return [
        path,
        html`${type}${required ? null : ', optional'}`,
        html`${fieldUnit(field) ?? '–'}`,
        html`${nullable ? 'yes' : 'no'}`,
        html`${description}${values === null ? null : html` <span class="quiet">${values.join(', ')}</span>`}`,
      ];
    }),
  });
}

/** A table whose rows turn into definitions where it is narrow. */
function definitions({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly [string, ...Html[]])[];
}): Html {
  const head = columns.map((column) => html`<th scope="col">${column}</th>`);
  const body = rows.map(([name, ...cells]) => {
    const written = cells.map((cell, i) => html`<td data-label="${columns[i + 1] ?? ''}">${cell}</td>`);
    return html`<tr><th scope="row"><code>${breakable(name)}</code></th>${written}</tr>\n`;
  });
  return html`<table class="terms"><caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table>
`;
}

/** A name that may break behind its dots and underscores. */
function breakable(name: string): Html[] {
  return name.split(/(?<=[._])/).map((part, i) => (i === 0 ? html`${part}` : html`<wbr>${part}`));
}
