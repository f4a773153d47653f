// The program of the page of a device in a browser.
import { libraryDevice } from './library-device.ts';

Object.assign(globalThis, { libraryDevice });
