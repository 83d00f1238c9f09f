/** Whose closes a chart of prices shows, first choice first, and of how many days it looks back (V45, V46). */
export const pricesShown = { coins: ['BTC', 'ETH', 'SOL'], days: 180 } as const;
