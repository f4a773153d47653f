import { useMemo, useState } from 'react';

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
  return useMemo(
    () => ({
      size: chosen.size,
      ids: [...chosen],
      has: (id) => chosen.has(id),
      set: (ids, selected) =>
        setChosen((before) => {
          const next = new Set(before);
          for (const id of ids) {
            if (selected) next.add(id);
            else next.delete(id);
          }
          return next;
        }),
      clear: () => setChosen(new Set()),
    }),
    [chosen],
  );
}
