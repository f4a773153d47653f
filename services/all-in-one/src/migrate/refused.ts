/** The exit status of a check or a copy that has found rows which cannot be carried. */
export const REFUSED = 3;
