import { testPlayground } from './test-playground.ts';
import { launchWebKit } from './webkit.ts';

testPlayground(launchWebKit);
