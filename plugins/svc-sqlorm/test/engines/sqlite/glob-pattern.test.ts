/** SQL patterns as GLOB: compared with what they mean, on SQLite itself. */
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { globPattern } from '../../../src/engines/sqlite/glob-pattern.ts'

const TABLE: readonly (readonly [pattern: string, glob: string])[] = [
  ['', ''],
  ['plain', 'plain'],
  ['a%', 'a*'],
  ['_b', '?b'],
  ['100\\%', '100%'],
  ['snake\\_case', 'snake_case'],
  ['back\\\\slash', 'back\\slash'],
  ['\\a', 'a'],
  ['a*b?c[d]', 'a[*]b[?]c[[]d]'],
  ['\\*', '[*]'],
  ['^[!-]', '^[[]!-]']
]

for (const [pattern, glob] of TABLE) {
  t.test(`${pattern} is ${glob}`, async (t) => t.equal(globPattern(pattern), glob))
}

t.test('what stood for itself still does, on SQLite', async (t) => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  const glob = database.prepare('select ? glob ? as matches')
  for (const text of ['*', '?', '[', ']', '[a]', '[^a]', 'a-b', '\\', '%', '_', '😀', 'É', '\n']) {
    const escaped = text.replaceAll(/[\\%_]/g, '\\$&')
    t.equal(glob.get(text, globPattern(escaped))?.matches, 1, text)
    t.equal(glob.get(`${text}x`, globPattern(escaped))?.matches, 0, `${text} is anchored`)
    t.equal(glob.get(`x${text}x`, globPattern(`_${escaped}%`))?.matches, 1, `${text} between wildcards`)
  }
  t.equal(glob.get('😀', globPattern('_'))?.matches, 1, 'one code point, not two units')
  t.equal(glob.get('abc', globPattern('ABC'))?.matches, 0, 'case counts')
})
