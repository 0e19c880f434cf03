import { launchFirefox } from './firefox.ts';
import { testPlayground } from './test-playground.ts';

testPlayground(launchFirefox);
