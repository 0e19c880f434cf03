/** What `defineServerTool` takes: a mistyped guard must not be a guard that is not there. */
import { describe, expect, it } from 'vitest';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { mayRemember } from '../../../src/server/tools/remembered-choice.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';

const define = (options: object) => () => defineServerTool({ execute: () => 'done', ...options });

describe('defineServerTool', () => {
  it.each<[string, object, string[]]>([
    ['a severity', { severity: 'destrucitve' }, ["'destrucitve'", "'neutral', 'caution', 'destructive'"]],
    ['a severity that is no text', { severity: true }, ['true']],
    ['an approval', { approval: 'allways' }, ["'allways'", "'always', 'never'"]],
    ['an approval that is no word', { approval: true }, ['not true']],
    ['an approval that is null', { approval: null }, ['not null']],
    ['the rule of an approval', { approval: { when: 'sometimes' } }, ["'sometimes'", "'always', 'never'"]],
    ['an approval without a rule', { approval: { expiresInMs: 5 } }, ['when', 'not undefined']],
    [
      'the time of an approval',
      { approval: { when: 'always', expiresInMs: '5' } },
      ["not '5'", 'expiresInMs'],
    ],
    ['a time of 0', { approval: { when: 'always', expiresInMs: 0 } }, ['not 0']],
    ['an unknown option of an approval', { approval: { when: 'always', expiresIn: 5 } }, ["'expiresIn'"]],
    ['editable', { editable: 'yes' }, ['editable', "'yes'"]],
    ['remember', { remember: 1 }, ['remember', 'not 1']],
    ['reason', { reason: 'requierd' }, ['reason', "'required'", "'requierd'"]],
    ['a reason that is no text', { reason: true }, ['reason', 'not true']],
    ['a mistyped reason', { reasons: 'required' }, ["'reasons'", "'reason'"]],
    ['mayAnswer', { mayAnswer: 'support' }, ['mayAnswer']],
    ['a mistyped approval', { aproval: 'always' }, ["'aproval'", "'approval'"]],
    ['the approval of another library', { needsApproval: true }, ["'needsApproval'", "'approval'"]],
    ['a mistyped mayAnswer', { mayAnwser: () => false }, ["'mayAnwser'", "'mayAnswer'"]],
    ['a mistyped severity', { serverity: 'destructive' }, ["'serverity'", "'severity'"]],
    ['the schema of another library', { inputSchema: {} }, ["'inputSchema'", "'input'"]],
  ])('refuses %s that is none, and names the value and what is allowed', (_name, options, words) => {
    let thrown: unknown;
    try {
      define(options)();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AgentChatError);
    expect(thrown).toMatchObject({ code: 'invalid_options' });
    for (const word of words) expect((thrown as Error).message).toContain(word);
  });

  it.each<[string, object]>([
    ['a required reason', { reason: 'required' }],
    ['each severity', { severity: 'destructive' }],
    ['an approval with a rule', { approval: { when: () => true } }],
    ['an approval that never expires', { approval: { when: 'always', expiresInMs: Infinity } }],
    ['guards that are left out', { approval: undefined, severity: undefined, editable: undefined }],
    ['a name of the app that is like no guard', { owner: 'billing', tags: ['money'] }],
  ])('takes %s', (_name, options) => {
    expect(define(options)()).toMatchObject(options);
  });
});

it('a tool whose severity is no word is never remembered, also where defineServerTool has not checked it', () => {
  const tool = { ...define({ remember: true })(), severity: 'destrucitve' as 'destructive' };
  expect(mayRemember(tool)).toBe(false);
});
