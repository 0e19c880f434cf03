import { describe } from 'vitest';
import { contractSuite } from './suites/contract.ts';

// The runs share nothing, so several go on at a time.
describe.concurrent('runCode', contractSuite);
