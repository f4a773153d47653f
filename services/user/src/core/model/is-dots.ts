/** Whether an id is `.` or `..`, which clients remove from paths, so that no path could name what has it. */
export function isDots(id: string): boolean {
  return id === '.' || id === '..';
}
