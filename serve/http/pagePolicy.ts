/** What a page that is opened in a browser may do: it runs nothing and asks for nothing (I4.R28.5). */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
