/** Models judge code, and so import none of it. */
import t from 'tap'
import { isModel, modelFindings } from './model-imports.ts'
import { noFindings } from './no-findings.ts'
import { PACKAGE_SOURCES, PACKAGE_TESTS, readFiles } from './repository.ts'

const MODEL = 'plugins/svc-x/src/conformance/row-model.ts'

const rows: [what: string, path: string, text: string, problem: RegExp | null][] = [
  ['what it judges', MODEL, "import { a } from '../rows/read-row.ts'", /imports \.\.\/rows\/read-row\.ts/],
  ['another package', MODEL, "import { a } from 'svc-stores/table'", /imports svc-stores\/table/],
  ['what it judges, later', MODEL, "await import('../rows/read-row.ts')", /imports/],
  ['among tests', 'plugins/svc-x/test/rows/row-oracle.ts', "import { a } from '../../src/a.ts'", /imports/],
  ['types', MODEL, "import type { A } from '../rows/read-row.ts'", null],
  ['Node', MODEL, "import assert from 'node:assert'", null],
  ['others', MODEL, "import fc from 'fast-check'", null],
  ['another model', MODEL, "import { a } from './value-model.ts'", null],
  ['what is no model', 'plugins/svc-x/src/models/row-model.ts', "import { a } from '../a.ts'", null]
]

for (const [what, path, text, problem] of rows) {
  t.test(what, async (t) => {
    const found = modelFindings([{ path, text }])
    t.equal(found.length, problem === null ? 0 : 1)
    if (problem !== null) t.match(found[0]?.problem, problem)
  })
}

t.test('M1: this repository', async (t) => {
  const files = readFiles(...PACKAGE_SOURCES, ...PACKAGE_TESTS)
  t.ok(files.filter(isModel).length > 0)
  noFindings(t, modelFindings(files), 'models')
})
