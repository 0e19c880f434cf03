export { describeIssues, type Validation, validate } from '../shared/validate.ts';
