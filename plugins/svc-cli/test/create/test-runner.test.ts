/**
 * `svc create app --test tap`: tests of the template and of every generator in tap's words, run by tap.
 * In the long run: tap builds itself for the application.
 */
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { testSource } from '../../src/create/test-runner.ts'
import { sandbox } from '../support/sandbox.ts'
import { ended, launchNode, runSvc } from '../support/svc-process.ts'

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

const rows: [what: string, node: string, tap: string][] = [
  [
    'imports',
    "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n",
    "import { test } from 'tap'\n"
  ],
  [
    'types',
    "import { type TestContext, test } from 'node:test'\nf(t: TestContext)",
    "import { type Test, test } from 'tap'\nf(t: Test)"
  ],
  ['a test without a context', "test('a', () => {", "test('a', async (t) => {"],
  ['a test that waits', "test('a', async () => {", "test('a', async (t) => {"],
  ['a test with a context', "test('a', async (t) => {", "test('a', async (t) => {"],
  [
    'assertions',
    'assert.equal(1, 1)\nassert.deepEqual(a, b)\nassert.throws(f)',
    't.equal(1, 1)\nt.strictSame(a, b)\nt.throws(f)'
  ]
]

t.test('words', async (t) => {
  for (const [what, node, tap] of rows) {
    t.equal(testSource(node, 'tap'), tap, what)
    t.equal(testSource(node, 'node'), node, `${what}: as it is`)
  }
})

t.test('an application with tap: its tests and those of the generators build and pass under tap', async (t) => {
  const parent = sandbox(t)
  const created = await runSvc(['create', 'app', 'shop', '--preset', 'api', '--test', 'tap'], { cwd: parent })
  t.equal(created.code, 0, created.stderr)
  t.match(created.stdout, 'CREATE shop/.taprc (')
  const cwd = join(parent, 'shop')
  const { scripts, devDependencies } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  t.match(scripts, { pretest: 'tap build', test: 'svc build && tap "dist/test/**/*.test.js"' })
  t.match(devDependencies, { tap: /^\^/ })
  t.match(readFileSync(join(cwd, '.taprc'), 'utf8'), '--env-file=.env.test')
  t.match(readFileSync(join(cwd, 'README.md'), 'utf8'), 'tests for `tap`')

  symlinkSync(MODULES, join(cwd, 'node_modules'))
  const generated = [
    ['entity', 'Post', 'label:string', 'count:integer'],
    ['voter', 'owner'],
    ['authenticator', 'badge'],
    ['test', 'more']
  ]
  for (const words of generated) {
    const { code, stderr } = await runSvc(['create', ...words], { cwd })
    t.equal(code, 0, stderr)
  }
  for (const name of readdirSync(join(cwd, 'test'))) {
    t.notMatch(readFileSync(join(cwd, 'test', name), 'utf8'), /node:test|node:assert|assert\./, name)
  }
  const built = await runSvc(['build'], { cwd })
  t.equal(built.code, 0, built.stdout + built.stderr)
  const tap = join(MODULES, 'tap/dist/esm/run.mjs')
  const tested = await ended(launchNode([tap, '--reporter=tap', 'dist/test/**/*.test.js'], cwd))
  t.equal(tested.code, 0, tested.stdout + tested.stderr)
  t.match(tested.stdout, /^1\.\.8$/m, 'eight files')
  t.notMatch(tested.stdout, /not ok/)
})

t.test('another runner', async (t) => {
  const { code, stderr } = await runSvc(['create', 'app', 'shop', '--test', 'jest'], { cwd: sandbox(t) })
  t.equal(code, 2)
  t.match(stderr, /SVC_CLI_USAGE.*'jest' is invalid.*node, tap/)
})
