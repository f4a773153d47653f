// Tells the story in Node, with its parameters from the environment, and prints what it saw as JSON.
import * as sdk from '@steward/sdk';
import { tellStory } from './story.mjs';

console.log(JSON.stringify(await tellStory(sdk, JSON.parse(process.env.STORY ?? ''))));
