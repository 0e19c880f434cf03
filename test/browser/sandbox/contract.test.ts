import { contractSuite } from '../../sandbox/suites/contract.ts';

contractSuite();
