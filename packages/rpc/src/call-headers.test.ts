import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CallHeaders } from './call-headers.ts';

const name = fc.constantFrom('steward-profile', 'Steward-Profile', 'constructor', 'x');
const value = fc.stringMatching(/^[a-z%0-9]{0,8}$/);
const step = fc.record({ act: fc.constantFrom('set', 'append', 'delete'), name, value });

it('behave as the headers of the platform do', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.array(step), (source, steps) => {
      const given = Object.fromEntries(source);
      for (const init of [given, source, new Headers(source)]) {
        const [headers, model] = [new CallHeaders(init), new Headers(init)];
        for (const { act, name, value } of steps) {
          for (const each of [headers, model]) {
            if (act === 'delete') each.delete(name);
            else each[act as 'set' | 'append'](name, value);
          }
          expect([headers.get(name), headers.has(name)]).toEqual([model.get(name), model.has(name)]);
        }
        expect([...headers].sort()).toEqual([...model].sort());
      }
    }),
  );
});
