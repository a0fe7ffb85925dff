/** The library that computes is loaded by the first pipeline that computes, not by the engine. */
import { createRequire } from 'node:module'
import t from 'tap'
import { parsePipeline } from '../../src/aggregation/pipeline.ts'
import { startDocumentEngine } from '../../src/index.ts'
import { documentOf, plainOf } from '../support/documents.ts'

const { cache } = createRequire(import.meta.url)

function isLoaded(name: string): boolean {
  return Object.keys(cache).some((path) => path.replaceAll('\\', '/').includes(`/node_modules/${name}/`))
}

function run(...stages: readonly object[]): object[] {
  const documents = [1, 2].map((paid) => documentOf({ paid }))
  const parsed = parsePipeline(stages.map(documentOf), () => [])
  return parsed.reduce<readonly ReturnType<typeof documentOf>[]>((rows, stage) => stage(rows), documents).map(plainOf)
}

t.test('mingo', async (t) => {
  t.ok(startDocumentEngine)
  t.strictSame(run({ $match: { paid: 2 } }, { $count: 'n' }), [{ n: 1 }])
  t.notOk(isLoaded('mingo'))
  t.strictSame(run({ $group: { _id: null, sum: { $sum: '$paid' } } }), [{ _id: null, sum: 3 }])
  t.ok(isLoaded('mingo'))
})
