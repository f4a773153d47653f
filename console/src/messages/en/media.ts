/** What the part of the console named `media` says. */
export const messages = {} as const;
