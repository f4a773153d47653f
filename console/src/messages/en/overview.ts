/** What the part of the console named `overview` says. */
export const messages = {} as const;
