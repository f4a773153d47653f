import { Button, Menu } from '@mantine/core';
import { Check, Columns3 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Column } from './column.ts';
import type { ColumnChoice } from './use-columns.ts';

interface ColumnsMenuProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly choice: ColumnChoice;
}

/** Chooses which columns a table shows. */
export function ColumnsMenu<Row>({ columns, choice }: ColumnsMenuProps<Row>) {
  const { t } = useTranslation();
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Columns3 size={16} aria-hidden />}>
          {t('table.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {columns.slice(1).map(({ id, header }) => (
          <Menu.Item
            key={id}
            role="menuitemcheckbox"
            aria-checked={choice.isShown(id)}
            leftSection={
              choice.isShown(id) ? <Check size={16} aria-hidden /> : <span className="check-space" />
            }
            onClick={() => choice.setShown(id, !choice.isShown(id))}
          >
            {header}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={choice.reset}>{t('table.reset_columns')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
