const maxName = 255;

/** Says why an entry name is refused, or null when it is a plain relative path. */
export function entryNameFault(name: string): string | null {
  if (name === '') return 'the name is empty';
  if (name.length > maxName) return `the name is longer than ${maxName} characters`;
  if (/[\u0000-\u001f\u007f\ufffd]/.test(name)) return 'the name holds control or undecodable characters';
  if (name.includes('\\')) return 'the name holds a backslash';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'the name is an absolute path';
  const parts = name.split('/');
  if (parts.some((part) => part === '..' || part === '.')) return 'the name leaves its directory';
  if (parts.slice(0, -1).includes('')) return 'the name has an empty path segment';
  return null;
}

/** Makes an untrusted name safe to show: control characters escaped, at most 200 characters. */
export function printableName(name: string): string {
  const shown = name.length > 200 ? `${name.slice(0, 200)}…` : name;
  return shown.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
