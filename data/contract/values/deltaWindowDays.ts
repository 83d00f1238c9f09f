/** Days of a window of daily changes, both ends included: the most, and without bounds (I3.21). */
export const deltaWindowDays = { most: 31, byDefault: 7 } as const;
