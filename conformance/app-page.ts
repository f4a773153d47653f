// The program of the page of an app: the client library.
import { createClient } from 'matrix-js-sdk';

Object.assign(globalThis, { createClient });
