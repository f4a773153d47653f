import { toRefusal } from '@steward/errors';
import { expect, it } from 'vitest';
import { isAllowedApp, parseAppUrl, shownApp, withLoginToken } from './app-url.ts';

it.each([
  ['nothing', '', 'M_MISSING_PARAM'],
  ['a word', 'app'],
  ['a script', 'javascript:alert(1)'],
  ['a script in other letters', 'JaVaScRiPt:alert(1)//https://app.example'],
  ['a script behind a blank', ' javascript:alert(1)'],
  ['a script with a line break', 'java\nscript:alert(1)'],
  ['data', 'data:text/html,x'],
  ['a script of another kind', 'vbscript:x'],
  ['a file', 'file:///etc/passwd'],
  ['a blob', 'blob:https://app.example/x'],
  ['a source', 'view-source:https://app.example'],
  ['an intent', 'intent://x#Intent;end'],
  ['a program', 'ms-msdt:/id'],
  ['a user name', 'https://user@app.example/'],
  ['a host as the user name', 'https://app.example@evil.example/'],
  ['a password', 'https://:x@app.example/'],
  ['a header', 'https://app.example/\r\nSet-Cookie: x=y'],
  ['a tab', 'https://app.example/\tx'],
  ['no host', 'https://'],
  ['4,097 characters', `https://app.example/${'x'.repeat(4_077)}`],
])('an app cannot be at %s', (_, text, errcode = 'M_INVALID_PARAM') => {
  let refusal: unknown;
  try {
    parseAppUrl(text);
  } catch (error) {
    refusal = toRefusal(error);
  }
  expect(refusal).toMatchObject({ status: 400, errcode });
});

it.each([
  ['https://app.example/#/home', 'https://app.example/?loginToken=t#/home', 'https://app.example'],
  ['http://localhost:8080/?a=b', 'http://localhost:8080/?a=b&loginToken=t', 'http://localhost:8080'],
  ['https://app.example/?loginToken=x', 'https://app.example/?loginToken=t', 'https://app.example'],
  ['org.example.app:/done', 'org.example.app:/done?loginToken=t', 'org.example.app:'],
])('an app at %s gets the token, and is shown by its origin', (text, withToken, shown) => {
  const url = parseAppUrl(text);
  expect(withLoginToken(url, 't')).toBe(withToken);
  expect(shownApp(url)).toBe(shown);
});

it.each([
  ['https://app.example/chat', true],
  ['https://app.example/chat/home', true],
  ['https://app.example/chat?x=1#/y', true],
  ['https://APP.example:443/chat/', true],
  ['org.example.app:/done', true],
  ['https://app.example/', false],
  ['https://app.example/chatty', false],
  ['https://app.example/chat/../evil', false],
  ['https://app.example/chat/%2e%2e/evil', false],
  ['https://app.example.evil.example/chat/', false],
  ['http://app.example/chat/', false],
  ['https://app.example:8443/chat/', false],
  ['org.example.app.evil:/done', false],
])('that the list names the app at %s is %s', (text, isNamed) => {
  const list = ['https://app.example/chat', 'org.example.app:'];
  expect(isAllowedApp(parseAppUrl(text), list)).toBe(isNamed);
});
