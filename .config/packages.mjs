/**
 * What all packages have in common, from the package.json of the root: version, licence, repository and what follows
 * from it, the peer `fastify`, what npm packs. Run without arguments it writes them; `--check` only compares, and
 * `--publishable` also refuses where the root names no repository. The versions of the template follow, too.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './run-step.mjs'

/**
 * The lowest Fastify that packages run on; the journey of packed packages installs this one. Earlier ones take keys of an
 * asynchronously validated body for the verdict, so that a caller can put another body in its place.
 */
export const LOWEST_FASTIFY = '5.12.2'

/** Where a package lies as it is published, below its folder: `npm run release -- stage` lays it out. */
export const STAGE = 'dist/package'

/** Packed where it is developed, a package would not be what it is when it is published. */
const PREPACK = 'node ../../.config/refuse-pack.mjs'

/** The order of the fields, as people look for them. Others follow as they are. */
const ORDER = [
  'name',
  'version',
  'description',
  'keywords',
  'license',
  'homepage',
  'bugs',
  'repository',
  'type',
  'engines'
]
const LAST = [
  'files',
  'scripts',
  'dependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'devDependencies',
  'publishConfig'
]

/** The manifest of a package, completed. `shared` is that of the root, which may name no repository yet. */
export function completeManifest(folder, manifest, shared) {
  const web = shared.repository?.url.replace(/^git\+|\.git$/g, '')
  const complete = {
    ...manifest,
    version: shared.version,
    license: shared.license,
    homepage: web && `${web}/tree/main/${folder}#readme`,
    bugs: web && { url: `${web}/issues` },
    repository: web && { ...shared.repository, directory: folder },
    type: 'module',
    engines: { node: '>=24' },
    scripts: { ...manifest.scripts, prepack: PREPACK },
    publishConfig: { access: 'public', provenance: true, directory: STAGE }
  }
  for (const field of ['dependencies', 'peerDependencies', 'devDependencies']) {
    if (manifest[field] !== undefined) complete[field] = ownRanges(manifest[field], shared.version)
  }
  if (complete.dependencies?.fastify !== undefined) {
    const { fastify: _, ...dependencies } = complete.dependencies
    complete.dependencies = dependencies
    complete.peerDependencies = { fastify: '', ...complete.peerDependencies }
  }
  if (complete.peerDependencies?.fastify !== undefined) complete.peerDependencies.fastify = `^${LOWEST_FASTIFY}`
  return ordered(complete)
}

/** A table of dependencies, with our own packages in this version. */
export function ownRanges(dependencies, version) {
  const entries = Object.entries(dependencies).map(([name, range]) => [
    name,
    name.startsWith('svc-') ? `^${version}` : range
  ])
  return Object.fromEntries(entries)
}

function ordered(manifest) {
  const others = Object.keys(manifest).filter((key) => !ORDER.includes(key) && !LAST.includes(key))
  const keys = [...ORDER, ...others, ...LAST].filter((key) => manifest[key] !== undefined)
  return Object.fromEntries(keys.map((key) => [key, manifest[key]]))
}

/** Every file that is written from the root, with its text as it has to be. */
export function* sharedFiles() {
  const shared = readJson('package.json')
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8')
  for (const name of readdirSync(join(root, 'plugins')).sort()) {
    const folder = `plugins/${name}`
    if (!existsSync(join(root, folder, 'package.json'))) continue
    yield [`${folder}/package.json`, json(completeManifest(folder, readJson(`${folder}/package.json`), shared))]
    yield [`${folder}/LICENSE`, licence]
  }
  const presets = readdirSync(join(root, 'plugins/svc-cli/presets')).map((name) => `plugins/svc-cli/presets/${name}`)
  for (const path of ['app-template', ...presets]) {
    const manifest = readJson(`${path}/package.json`)
    yield [
      `${path}/package.json`,
      json({ ...manifest, dependencies: ownRanges(manifest.dependencies, shared.version) })
    ]
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Changesets raise the versions of the packages, which are one; the root has the same. */
function followVersion() {
  const shared = readJson('package.json')
  const { version } = readJson('plugins/svc-kernel/package.json')
  if (version !== shared.version) writeFileSync(join(root, 'package.json'), json({ ...shared, version }))
}

function main(flags) {
  if (flags.includes('--publishable')) {
    if (readJson('package.json').repository === undefined) {
      process.stderr.write(
        'packages: package.json names no repository\n  fix: add "repository" to package.json, then: npm run packages\n'
      )
      return 1
    }
  }
  const write = flags.length === 0
  if (write) followVersion()
  const stale = [...sharedFiles()].filter(([path, text]) => {
    const file = join(root, path)
    return !existsSync(file) || readFileSync(file, 'utf8') !== text
  })
  for (const [path, text] of stale) {
    if (write) writeFileSync(join(root, path), text)
    process.stderr.write(`${write ? 'wrote' : 'differs:'} ${path}\n`)
  }
  if (write || stale.length === 0) return 0
  process.stderr.write('  fix: npm run packages\n')
  return 1
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2))
