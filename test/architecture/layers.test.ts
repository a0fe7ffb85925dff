/** Arrows between packages go down only, in sources, tests and package.json files. */
import t from 'tap'
import { declaredLayerFindings, layerFindings } from './layers.ts'
import { noFindings } from './no-findings.ts'
import { PACKAGE_SOURCES, PACKAGE_TESTS, type PackageJson, packageNames, readFiles, readJson } from './repository.ts'

const rows: [what: string, path: string, text: string, problem: RegExp | null][] = [
  ['down', 'plugins/svc-security/src/a.ts', "import { a } from 'svc-kernel'", null],
  ['two levels down', 'plugins/svc-cli/src/a.ts', "import { a } from 'svc-kernel'", null],
  ['a third party', 'plugins/svc-kernel/src/a.ts', "import fp from 'fastify-plugin'", null],
  ['itself', 'plugins/svc-kernel/test/a.test.ts', "import { a } from 'svc-kernel'", null],
  [
    'up',
    'plugins/svc-kernel/src/a.ts',
    "import { a } from 'svc-security'",
    /level 0.*imports svc-security \(level 2\)/
  ],
  ['up, types only', 'plugins/svc-kernel/src/a.ts', "import type { A } from 'svc-security'", /imports svc-security/],
  ['up, in a re-export', 'plugins/svc-kernel/src/a.ts', "export * from 'svc-stores'", /imports svc-stores/],
  ['up, when called', 'plugins/svc-kernel/src/a.ts', "await import('svc-cli/package.json')", /imports svc-cli/],
  ['sideways', 'plugins/svc-security/src/a.ts', "import { a } from 'svc-webhooks'", /imports svc-webhooks/],
  ['up, in a test', 'plugins/svc-decorators/test/a.test.ts', "import a from 'svc-security'", /imports svc-security/],
  ['an unknown package', 'plugins/svc-cli/src/a.ts', "import a from 'svc-kernal'", /svc-kernal has no level/],
  ['from an unknown package', 'plugins/svc-new/src/a.ts', "import a from 'svc-kernel'", /svc-new has no level/],
  [
    'a relative path into a neighbour',
    'plugins/svc-cli/src/a.ts',
    "import a from '../../svc-kernel/src/b.ts'",
    /leaves plugins/
  ],
  ['src into test', 'plugins/svc-cli/src/a.ts', "import a from '../test/b.ts'", /leaves src/],
  ['test into src', 'plugins/svc-cli/test/a.ts', "import a from '../src/b.ts'", null]
]

for (const [what, path, text, problem] of rows) {
  t.test(what, async (t) => {
    const found = layerFindings([{ path, text }])
    t.equal(found.length, problem === null ? 0 : 1)
    if (problem !== null) t.match(found[0]?.problem, problem)
  })
}

t.test('a package.json that declares a neighbour', async (t) => {
  t.equal(declaredLayerFindings({ 'svc-security': { dependencies: { 'svc-kernel': '^1' } } }).length, 0)
  t.equal(declaredLayerFindings({ 'svc-security': { devDependencies: { 'svc-cli': '^1' } } }).length, 1)
})

t.test('this repository', async (t) => {
  const packages = Object.fromEntries(
    packageNames().map((name) => [name, readJson<PackageJson>(`plugins/${name}/package.json`)])
  )
  noFindings(t, layerFindings(readFiles(...PACKAGE_SOURCES, ...PACKAGE_TESTS)), 'imports')
  noFindings(t, declaredLayerFindings(packages), 'declared dependencies')
})
