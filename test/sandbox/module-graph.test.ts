import { expect, test } from 'vitest';
import { createModuleGraph } from '../../src/sandbox/worker/module-graph.ts';

test('the module graph forgets the oldest failures beyond its limit', () => {
  const graph = createModuleGraph({
    source: '',
    filename: '<runCode>',
    language: 'javascript',
    memoryLimitBytes: 1e6,
    modules: new Map(),
    globals: [],
    imports: [],
    capabilities: { text: '[null]', buffers: [] },
  });
  for (let number = 0; number < 100; number++) {
    const specifier = `${number}${'x'.repeat(100_000)}`;
    expect(() => graph.resolve('<runCode>', specifier)).toThrow('There is no module');
    expect(graph.failures.at(-1)?.specifier).toBe(specifier);
  }
  expect(graph.failures.length).toBeLessThan(20);
});
