import type { Filter } from './answer.ts';

// constructors of list filters, one per kind of condition

/** Rows whose column has the value that was sent. */
export const equals = <Column extends string>(param: string, column: Column): Filter<Column> => ({
  params: [param],
  column,
  condition: (asked) => {
    const wanted = asked.get(param);
    return wanted === undefined ? null : (value) => value === wanted;
  },
});

/** Rows whose column is at or above the number that was sent. */
export const atLeast = <Column extends string>(param: string, column: Column): Filter<Column> => ({
  params: [param],
  column,
  condition: (asked) => {
    const least = asked.get(param);
    return typeof least !== 'number' ? null : (value) => typeof value === 'number' && value >= least;
  },
});

/** Rows whose column is true, when the flag was sent. */
export const isTrue = <Column extends string>(param: string, column: Column): Filter<Column> => ({
  params: [param],
  column,
  condition: (asked) => (asked.get(param) === true ? (value) => value === true : null),
});

/** Rows whose column contains the text that was sent; the column is lower-case. */
export const contains = <Column extends string>(param: string, column: Column): Filter<Column> => ({
  params: [param],
  column,
  condition: (asked) => {
    const text = asked.get(param);
    if (typeof text !== 'string') return null;
    const needle = text.toLowerCase();
    return (value) => typeof value === 'string' && value.includes(needle);
  },
});

/** Rows whose column is null, for any value sent. */
export const isNull = <Column extends string>(column: Column): Filter<Column> => ({
  params: [],
  column,
  condition: () => (value) => value === null,
});
