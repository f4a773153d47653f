/** What the part of the console named `audit` says. */
export const messages = {} as const;
