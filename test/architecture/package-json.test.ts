/** The packages agree on version, licence, engine and exports, and the compiler knows them all. */
import t from 'tap'
import { noFindings } from './no-findings.ts'
import { type ProjectReferences, packageJsonFindings, referenceFindings } from './package-json.ts'
import { type PackageJson, packageNames, readFiles, readJson } from './repository.ts'

const root: PackageJson = { version: '1.2.3', license: 'MIT' }
const sound: PackageJson = {
  name: 'svc-x',
  version: '1.2.3',
  license: 'MIT',
  type: 'module',
  engines: { node: '>=24' },
  exports: {
    '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' },
    './package.json': './package.json'
  },
  files: ['dist/src']
}

const rows: [what: string, change: PackageJson, fix: RegExp][] = [
  ['another name', { name: 'x' }, /"name"/],
  ['another version', { version: '1.2.4' }, /"version"/],
  ['another licence', { license: 'ISC' }, /"license"/],
  ['CommonJS', { type: 'commonjs' }, /"type"/],
  ['another engine', { engines: { node: '>=20' } }, /engines/],
  ['files without the code', { files: ['src'] }, /"files"/],
  ['types after default', { exports: { ...sound.exports, '.': { default: 'a', types: 'b' } } }, /export "\."/],
  ['no exported package.json', { exports: { '.': sound.exports?.['.'] } }, /package\.json/],
  ['another range of a neighbour', { dependencies: { 'svc-x': '*' } }, /range of svc-x/]
]

t.test('a sound package', async (t) => {
  t.strictSame(packageJsonFindings({ 'svc-x': sound }, root), [])
})

for (const [what, change, fix] of rows) {
  t.test(what, async (t) => {
    t.match(packageJsonFindings({ 'svc-x': { ...sound, ...change } }, root), [{ fix }])
  })
}

t.test('projects that are not referred to', async (t) => {
  const packages = { 'svc-x': sound, 'svc-y': { dependencies: { 'svc-x': '^1.2.3' } } }
  const projects: Record<string, ProjectReferences> = {
    'tsconfig.json': { references: [{ path: 'plugins/svc-x' }, { path: 'plugins/svc-y' }] },
    'test/tsconfig.json': { references: [{ path: '../plugins/svc-x' }, { path: '../plugins/svc-y' }] },
    'plugins/svc-y/tsconfig.json': { references: [{ path: '../svc-x' }] }
  }
  t.strictSame(referenceFindings(packages, projects), [])
  for (const name of Object.keys(projects)) {
    const found = referenceFindings(packages, { ...projects, [name]: {} })
    t.ok(found.length > 0 && found.every(({ path }) => path === name), name)
  }
})

t.test('this repository', async (t) => {
  const packages = Object.fromEntries(
    packageNames().map((name) => [name, readJson<PackageJson>(`plugins/${name}/package.json`)])
  )
  const projects = Object.fromEntries(
    readFiles('{tsconfig.json,test/tsconfig.json,plugins/*/tsconfig.json}').map(({ path, text }) => [
      path,
      JSON.parse(text) as ProjectReferences
    ])
  )
  noFindings(t, packageJsonFindings(packages, readJson<PackageJson>('package.json')), 'package.json files')
  noFindings(t, referenceFindings(packages, projects), 'compiler projects')
})
