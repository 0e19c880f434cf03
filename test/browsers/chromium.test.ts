import { launchChromium } from './chromium.ts';
import { testPlayground } from './test-playground.ts';

testPlayground(launchChromium);
