import { useTranslation } from 'react-i18next';

type Key = 'scope_users_read';

/** Scopes of one area, such as `users`. */
export interface ScopeArea {
  readonly area: string;
  readonly scopes: readonly string[];
}

/** What scopes permit, in words; a scope of a later server is shown as it is. */
export interface ScopeWords {
  readonly of: (scope: string) => string;
  readonly ofArea: (area: string) => string;
}

/** Returns the words for scopes and their areas. */
export function useScopeWords(): ScopeWords {
  const { t } = useTranslation('scopes');
  return {
    of: (scope) => t(`scope_${scope.replace(':', '_')}` as Key, { defaultValue: scope }),
    ofArea: (area) => t(`area_${area}` as Key, { defaultValue: area }),
  };
}

/** Groups scopes by their areas, both in the order in which they come first. */
export function areasOf(scopes: readonly string[]): readonly ScopeArea[] {
  const areas = new Map<string, string[]>();
  for (const scope of scopes) {
    const area = scope.split(':')[0] ?? scope;
    areas.set(area, [...(areas.get(area) ?? []), scope]);
  }
  return [...areas].map(([area, each]) => ({ area, scopes: each }));
}
