import { describe, expect, it } from 'vitest';
import { withFiles } from '../../../src/core/protocol/with-files.ts';

const file = { id: 'f1', mediaType: 'image/png', url: 'https://files.example/1.png' };
const other = { ...file, id: 'f2', url: 'https://files.example/2.png' };

describe('a result for a wire without a place for files', () => {
  it.each([
    ['no files', { taken: true }, undefined, { taken: true }],
    ['an empty list', 'taken', [], 'taken'],
    ['an object', { taken: true }, [file], { taken: true, files: [file] }],
    ['a text', 'taken', [file, other], { result: 'taken', files: [file, other] }],
    ['nothing', undefined, [file], { result: null, files: [file] }],
    ['a list', [1], [file], { result: [1], files: [file] }],
    ['files of its own', { files: 3 }, [file], { result: { files: 3 }, files: [file] }],
    ['the reference itself', { shot: file }, [file], { shot: file }],
    ['one of two references', { shot: file }, [file, other], { shot: file, files: [other] }],
  ])('a result with %s', (_, result, files, expected) => {
    expect(withFiles(result, files)).toEqual(expected);
  });
});
