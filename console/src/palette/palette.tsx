import '@mantine/spotlight/styles.css';
import './palette.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useTranslation } from 'react-i18next';
import { Finder } from './finder.tsx';
import type { PageEntry } from './page-entry.ts';

const [store, palette] = createSpotlight();

/** Opens and closes the palette. */
export { palette };

/** Finds users, rooms, reports and pages by a name or an id. */
export function Palette({ pages }: { readonly pages: readonly PageEntry[] }) {
  const { t } = useTranslation();
  return (
    // The button binds the key, also while this is not loaded.
    <Spotlight.Root
      store={store}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('palette.title') } }}
    >
      <Finder store={store} pages={pages} onClose={palette.close} />
    </Spotlight.Root>
  );
}
