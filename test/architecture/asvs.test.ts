/** `docs/reference/asvs.md` names each requirement of ASVS 5.0.0, levels 1 and 2, once, and for what svc meets a test that exists. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { inRoot, readFile } from './repository.ts'

const PAGE = 'docs/reference/asvs.md'
/** Of the standard itself: each requirement and its level. */
const LEVELS = JSON.parse(readFile('test/vectors/asvs-levels.json').text) as Readonly<Record<string, '1' | '2'>>

const rows = readFile(PAGE)
  .text.split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, ids = '', , by = '', how = ''] = line
      .split(' | ')
      .flatMap((cell, index) => (index === 0 ? ['', cell.slice(2)] : cell))
    return { ids: ids.split(', '), by, how: how.replace(/ \|$/, '') }
  })

t.test('each requirement once', (t) => {
  const named = rows.flatMap(({ ids }) => ids)
  t.strictSame([...new Set(named)].sort(), Object.keys(LEVELS).sort())
  t.equal(named.length, Object.keys(LEVELS).length)
  t.strictSame([Object.values(LEVELS).filter((level) => level === '1').length, named.length], [70, 253])
  t.end()
})

t.test('what svc meets is held by tests that exist; what is left to you says so', (t) => {
  for (const { ids, by, how } of rows) {
    const tests = [...how.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, path = '']) => join(dirname(PAGE), path))
    t.equal(tests.length > 0, by.startsWith('svc'), `${ids}: ${by}`)
    for (const path of tests) t.ok(existsSync(inRoot(path)), `${ids}: ${path}`)
  }
  t.end()
})

t.test('the counts are those of the rows', (t) => {
  const text = readFile(PAGE).text
  for (const [by, label] of [
    ['svc', 'svc, held by a test'],
    ['svc and you', 'svc and you'],
    ['you', 'you'],
    ['does not apply', 'does not apply: svc has no such part']
  ] as const) {
    const count = rows.filter((row) => row.by === by).reduce((sum, { ids }) => sum + ids.length, 0)
    t.ok(text.includes(`| ${label} | ${count} |`), `${label}: ${count}`)
  }
  t.end()
})
