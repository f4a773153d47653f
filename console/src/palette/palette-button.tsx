import { ActionIcon, Button, Kbd } from '@mantine/core';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { palette } from './palette-store.ts';

/** Opens the palette. */
export function PaletteButton() {
  const { t } = useTranslation();
  return (
    <>
      <Button
        variant="default"
        size="sm"
        visibleFrom="sm"
        leftSection={<Search size={16} aria-hidden />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={palette.open}
      >
        {t('palette.open')}
      </Button>
      <ActionIcon
        variant="default"
        size="lg"
        hiddenFrom="sm"
        aria-label={t('palette.open')}
        onClick={palette.open}
      >
        <Search size={18} aria-hidden />
      </ActionIcon>
    </>
  );
}
