type Json = { [member: string]: unknown };

/**
 * Picks members of an example by paths such as `data[0].ticker`, in the order of the paths.
 *
 * @throws TypeError when the example has nothing under a path
 */
export function excerptOf(example: object, paths: readonly string[]): object {
  const excerpt: Json = {};
  for (const path of paths) copy({ path, from: example, into: excerpt, steps: path.split(/\.|(?=\[)/) });
  return excerpt;
}

function copy(input: { path: string; from: unknown; into: Json; steps: readonly string[] }): void {
  const { path, from, into } = input;
  const [step = '', ...steps] = input.steps;
  const member = step.replace(/^\[(\d+)\]$/, '$1');
  const value = (from as Json | undefined)?.[member];
  if (value === undefined) throw new TypeError(`the example has no member ${path}`);
  if (steps.length === 0) {
    into[member] = value;
    return;
  }
  const inner = into[member] ?? (steps[0]?.startsWith('[') ? [] : {});
  into[member] = inner;
  copy({ path, from: value, into: inner as Json, steps });
}
