/** The packages agree on version, licence, engine and exports, and the compiler knows them all. */
import t from 'tap'
import { noFindings } from './no-findings.ts'
import { type ProjectReferences, packageJsonFindings, referenceFindings } from './package-json.ts'
import { inRoot, type PackageJson, packageNames, readFile, readFiles, readJson } from './repository.ts'

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
  files: ['dist/src', 'src'],
  keywords: ['fastify', 'x']
}

const rows: [what: string, change: PackageJson, fix: RegExp][] = [
  ['another name', { name: 'x' }, /"name"/],
  ['another version', { version: '1.2.4' }, /"version"/],
  ['another licence', { license: 'ISC' }, /"license"/],
  ['CommonJS', { type: 'commonjs' }, /"type"/],
  ['another engine', { engines: { node: '>=20' } }, /engines/],
  ['files without the code', { files: ['src'] }, /"files"/],
  ['files without the sources of the maps', { files: ['dist/src'] }, /source maps/],
  ['keywords that nobody looks for', { keywords: ['x'] }, /"keywords"/],
  ['a fastify of its own', { dependencies: { fastify: '^5.0.0' } }, /peer/],
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

interface PackagesScript {
  completeManifest(folder: string, manifest: PackageJson, shared: PackageJson): PackageJson
  sharedFiles(): Iterable<[path: string, text: string]>
}

const script = (await import(inRoot('.config/packages.mjs'))) as PackagesScript

t.test('a manifest, completed from that of the root', async (t) => {
  const repository = { type: 'git', url: 'git+https://host.example/a/b.git' }
  const shared = { ...root, repository }
  const bare: PackageJson = { name: 'svc-x', dependencies: { fastify: '^5.0.0', 'svc-y': '^0.1.0', z: '1' } }
  const complete = script.completeManifest('plugins/svc-x', bare, shared)
  t.match(complete, {
    version: '1.2.3',
    license: 'MIT',
    homepage: 'https://host.example/a/b/tree/main/plugins/svc-x#readme',
    bugs: { url: 'https://host.example/a/b/issues' },
    repository: { ...repository, directory: 'plugins/svc-x' },
    publishConfig: { access: 'public', provenance: true }
  })
  t.strictSame(complete.dependencies, { 'svc-y': '^1.2.3', z: '1' })
  t.match(complete.peerDependencies, { fastify: /^\^5\.\d+\.\d+$/ })
  t.strictSame(Object.keys(complete).slice(0, 2), ['name', 'version'], 'in the order people look for')
  t.strictSame(script.completeManifest('plugins/svc-x', complete, shared), complete, 'once is enough')
  const unnamed = script.completeManifest('plugins/svc-x', complete, root)
  t.notOk(
    ['homepage', 'bugs', 'repository'].some((field) => field in unnamed),
    'no address before there is one'
  )
})

t.test('the manifests, licences and ranges of this repository follow from its root', async (t) => {
  const files = [...script.sharedFiles()]
  t.equal(files.filter(([path]) => path.endsWith('/LICENSE')).length, packageNames().length + 1, 'create-svc too')
  for (const [path, text] of files) t.equal(readFile(path).text, text, `${path}: npm run packages`)
})
