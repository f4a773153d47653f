import { useCallback, useMemo, useState } from 'react';

/** Which rows of a table are selected, by their ids; also those that are out of sight. */
export interface Selection {
  readonly size: number;
  readonly ids: readonly string[];
  readonly has: (id: string) => boolean;
  readonly set: (ids: readonly string[], selected: boolean) => void;
  readonly clear: () => void;
}

/** Keeps which rows are selected. */
export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set());
  // The same function for ever, so that a change re-renders only the rows that it concerns.
  const set = useCallback((ids: readonly string[], selected: boolean) => {
    setChosen((before) => {
      const next = new Set(before);
      for (const id of ids) {
        if (selected) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  }, []);
  return useMemo(
    () => ({
      size: chosen.size,
      ids: [...chosen],
      has: (id) => chosen.has(id),
      set,
      clear: () => setChosen(new Set()),
    }),
    [chosen, set],
  );
}
