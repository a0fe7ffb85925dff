/** Every third-party package is declared where it is used and explained on the page of dependencies. */
import t from 'tap'
import { documentedFindings, undeclaredFindings, unusedFindings } from './dependencies.ts'
import { describeFindings } from './finding.ts'
import { noFindings } from './no-findings.ts'
import { type PackageJson, packageNames, readFile, readFiles, readJson } from './repository.ts'

const file = (path: string, text: string) => [{ path: `plugins/svc-x/${path}`, text }]
const root: PackageJson = { devDependencies: { tap: '1' } }
const own: PackageJson = {
  dependencies: { a: '1' },
  peerDependencies: { p: '1' },
  devDependencies: { d: '1', '@types/c': '1' }
}

const rows: [what: string, path: string, text: string, problems: number][] = [
  ['a dependency', 'src/a.ts', "import a from 'a/sub.js'", 0],
  ['a peer', 'src/a.ts', "await import('p')", 0],
  ["Node's own", 'src/a.ts', "import fs from 'node:fs'", 0],
  ['nothing declares it', 'src/a.ts', "import b from 'b'", 1],
  ['nothing declares its types', 'src/a.ts', "import type { B } from 'b'", 1],
  ['a development tool in a source', 'src/a.ts', "import d from 'd'", 1],
  ['a development tool in a test', 'test/a.test.ts', "import d from 'd'", 0],
  ['a tool of the root in a test', 'test/a.test.ts', "import t from 'tap'", 0],
  ['a tool of the root in a source', 'src/a.ts', "import t from 'tap'", 1],
  ['types of answers, of a development tool', 'src/a.ts', "import type { D } from 'd/wire'", 0],
  ['types of answers, of what nothing declares', 'src/a.ts', "import type { B } from 'b/wire'", 1],
  ['answers themselves', 'src/a.ts', "import { d } from 'd/wire'", 1],
  ['types of their own in a test', 'test/a.test.ts', "import type { C } from 'c'", 0],
  ['an undeclared one in a test', 'test/a.test.ts', "import b from 'b'", 1]
]

for (const [what, path, text, problems] of rows) {
  t.test(what, async (t) => {
    t.equal(undeclaredFindings('svc-x', file(path, text), { own, root }).length, problems)
  })
}

t.test('a dependency that nothing uses', async (t) => {
  t.equal(unusedFindings('svc-x', file('src/a.ts', "import a from 'a'"), own).length, 0)
  t.equal(unusedFindings('svc-x', file('src/a.ts', "resolve('a/package.json')"), own).length, 0)
  t.equal(unusedFindings('svc-x', file('src/a.ts', "// import a from 'a'"), own).length, 1)
})

t.test('the page and the manifests', async (t) => {
  const page = (...lines: string[]) => ({
    path: 'dependencies.md',
    text: `| package | where | why |\n| --- | --- | --- |\n${lines.join('\n')}`
  })
  const manifests = { root: { devDependencies: { a: '1' } }, 'svc-x': { dependencies: { a: '1', 'svc-kernel': '1' } } }
  t.strictSame(documentedFindings(manifests, page('| `a` | root, svc-x | it does what is needed |')), [])
  t.match(describeFindings(documentedFindings(manifests, page('| `a` | root | it does what is needed |'))), [
    /does not list a in svc-x/
  ])
  t.match(
    describeFindings(
      documentedFindings(
        manifests,
        page('| `a` | root, svc-x | it does what is needed |', '| `b` | root | gone long ago |')
      )
    ),
    [/:4 lists b in root/]
  )
  t.match(describeFindings(documentedFindings(manifests, page('| `a` | root, svc-x | - |'))), [/gives no reason for a/])
})

t.test('this repository', async (t) => {
  const rootJson = readJson<PackageJson>('package.json')
  const manifests: Record<string, PackageJson> = { root: rootJson }
  for (const apart of ['type-tests', 'inspector']) manifests[apart] = readJson(`.config/${apart}/package.json`)
  for (const name of packageNames()) {
    const json = readJson<PackageJson>(`plugins/${name}/package.json`)
    const sources = readFiles(`plugins/${name}/{src,bin}/**/*.{ts,js}`)
    const tests = readFiles(`plugins/${name}/test/**/*.ts`)
    noFindings(t, undeclaredFindings(name, [...sources, ...tests], { own: json, root: rootJson }), `imports of ${name}`)
    noFindings(t, unusedFindings(name, sources, json), `dependencies of ${name}`)
    manifests[name] = json
  }
  const page = readFile('docs/reference/dependencies.md')
  noFindings(t, documentedFindings(manifests, page), 'the page')
})
