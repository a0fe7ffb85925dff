/** No circle of imports between files, of values or of types. */
import t from 'tap'
import { circleFindings } from './circles.ts'
import { describeFindings } from './finding.ts'
import { noFindings } from './no-findings.ts'
import {
  PACKAGE_SOURCES,
  PACKAGE_TESTS,
  readFiles,
  SPANNING_TESTS,
  TEMPLATE_SOURCES,
  WEB_SOURCES
} from './repository.ts'

function graph(edges: Record<string, string[]>): { path: string; text: string }[] {
  return Object.entries(edges).map(([name, targets]) => ({
    path: `plugins/x/src/${name}.ts`,
    text: targets.map((target) => `import type { A } from './${target}.ts'`).join('\n')
  }))
}

const rows: [what: string, edges: Record<string, string[]>, circles: number][] = [
  ['a line', { a: ['b'], b: ['c'], c: [] }, 0],
  ['a diamond', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, 0],
  ['a file that imports itself', { a: ['a'] }, 1],
  ['two files', { a: ['b'], b: ['a'] }, 1],
  ['three files behind an entry', { a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, 1],
  ['two circles', { a: ['b'], b: ['a'], c: ['d'], d: ['c'] }, 2]
]

for (const [what, edges, circles] of rows) {
  t.test(what, async (t) => {
    t.equal(circleFindings(graph(edges)).length, circles)
  })
}

t.test('a circle is told in order', async (t) => {
  const [found] = describeFindings(circleFindings(graph({ c: ['a'], a: ['b'], b: ['c'] })))
  t.match(found, 'plugins/x/src/a.ts -> plugins/x/src/b.ts -> plugins/x/src/c.ts -> plugins/x/src/a.ts')
})

t.test('this repository', async (t) => {
  const files = readFiles(...PACKAGE_SOURCES, ...WEB_SOURCES, ...PACKAGE_TESTS, ...SPANNING_TESTS, ...TEMPLATE_SOURCES)
  t.ok(files.length > 100, 'the sources were found')
  noFindings(t, circleFindings(files), 'circles')
})
