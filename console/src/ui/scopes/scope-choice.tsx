import { Checkbox, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core';
import { areasOf, useScopeWords } from './scope-words.ts';

interface ScopeChoiceProps {
  readonly label: string;
  /** The scopes among which to choose: a caller gives only those that the caller has. */
  readonly scopes: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Chooses scopes, by area. */
export function ScopeChoice({ label, scopes, chosen, onChange }: ScopeChoiceProps) {
  const words = useScopeWords();
  return (
    <Fieldset legend={label}>
      <Checkbox.Group value={[...chosen]} onChange={onChange}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="md">
          {areasOf(scopes).map(({ area, scopes: each }) => (
            <Stack key={area} gap={6}>
              <Text fw={600} size="sm">
                {words.ofArea(area)}
              </Text>
              {each.map((scope) => (
                <Checkbox key={scope} size="xs" value={scope} label={scope} description={words.of(scope)} />
              ))}
            </Stack>
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </Fieldset>
  );
}
