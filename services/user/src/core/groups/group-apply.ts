/** The name of tasks that bring the members of a group to what it says, or of all groups for the key of that name. */
export const GROUP_APPLY = 'group.apply';

/** What such a task has done. */
export interface GroupApplied {
  /** How many accounts were changed. */
  readonly changed: number;
  /** How many were left as they are, because the server would have no administrator. */
  readonly refused: number;
}
