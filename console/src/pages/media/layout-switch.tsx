import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface LayoutSwitchProps<Layout extends string> {
  readonly layouts: readonly { readonly value: Layout; readonly label: string }[];
  readonly value: Layout;
  readonly onChange: (layout: Layout) => void;
}

/** Chooses how a list is shown. */
export function LayoutSwitch<Layout extends string>({ layouts, value, onChange }: LayoutSwitchProps<Layout>) {
  const { t } = useTranslation('media');
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('layout')}
      data={[...layouts]}
      value={value}
      onChange={(next) => onChange(next as Layout)}
    />
  );
}
