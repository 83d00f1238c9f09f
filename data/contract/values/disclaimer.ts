/** Stands beside every tier (M3.28). */
export const tierMeaning = 'tier = filed debt against shocked coins; not a credit rating';

/** What a page that is no brief says in its place. */
export const screeningAid =
  'A screening aid built from public filings and stored prices; it is not investment advice.';

/** The last line of every brief and of the guide for language models (I2.40, I4.F12.1). */
export const disclaimer =
  'This brief is a screening aid built from public filings and stored prices; it is not investment advice.';
