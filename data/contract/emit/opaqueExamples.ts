/** How a file of a media type begins. */
export const opaqueExamples: Readonly<Record<string, string>> = {
  'text/html': '<!DOCTYPE html>\n<html lang="en">',
  'application/pdf': '%PDF-1.7',
};
