/** The type of rooms that are spaces. */
export const SPACE = 'm.space';
