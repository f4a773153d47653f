import { Spotlight } from '@mantine/spotlight';
import { useTranslation } from 'react-i18next';
import { paletteStore } from './palette-store.ts';

/** Finds users, rooms, reports and pages by a name or an id. */
export function Palette() {
  const { t } = useTranslation();
  return (
    <Spotlight
      store={paletteStore}
      shortcut={['mod + K']}
      nothingFound={t('palette.nothing')}
      actions={[]}
      searchProps={{ placeholder: t('palette.placeholder'), 'aria-label': t('palette.title') }}
    />
  );
}
