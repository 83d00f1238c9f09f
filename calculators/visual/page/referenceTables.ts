import type { FieldContract } from '../../../data/contract/emit/fieldContractSchema.ts';
import { parameterSchema } from '../../../data/contract/emit/jsonSchema.ts';
import type { Param } from '../../../data/contract/routes/route.ts';
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

// units stand in the names of members (I1.8, STYLE of the contract) and, for amounts, in what the contract says they mean
const units: readonly (readonly [RegExp, string])[] = [
  [/micro_usd$/, 'micro-USD'],
  [/_usd$/, 'USD'],
  [/(_pct|percentage|percentile)$/, '%'],
  [/_bps$/, 'bp'],
  [/_ms$/, 'ms'],
  [/_seconds$/, 's'],
  [/_minutes$/, 'min'],
  [/_hours$/, 'h'],
  [/_days$/, 'd'],
  [/_utc$|_at$/, 'UTC'],
];

/** A member as the field contract describes it. */
type DescribedField = { readonly path: string; readonly type: string; readonly description: string };

/** The unit of a member: by its name, or of a number by its meaning; null where neither states one. */
export function fieldUnit({ path, type, description }: DescribedField): string | null {
  const name = path.replace(/(\[\]|\.\*)+$/, '');
  const named = units.find(([ending]) => ending.test(name))?.[1];
  if (named !== undefined) return named;
  if (!/^(?:number|integer)$/.test(type)) return null;
  if (/^USD per coin\b/.test(description)) return 'USD a coin';
  return /(?:, |\bin )USD\b/.test(description) ? 'USD' : null;
}
