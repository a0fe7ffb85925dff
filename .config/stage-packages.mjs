/**
 * Lays out every package as it is published: what `files` of its manifest names, with bundles in the place of the
 * compiled files of `dist/src`, and in svc-cli the template, the documentation and the READMEs. `publishConfig.directory`
 * leads the publishing there. Given a folder, it stages there: two runs at once need two folders.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleEntries } from './bundle-entries.mjs'
import { STAGE } from './packages.mjs'
import { root } from './run-step.mjs'

/** npm packs these whether a manifest names them or not. */
const ALWAYS = ['README.md', 'LICENSE']

/**
 * @param folder takes a folder for each package; without it, each package has its own
 * @returns the folder of each package, by its name
 */
export async function stagePackages(folder) {
  const names = readdirSync(join(root, 'plugins')).filter((name) =>
    existsSync(join(root, 'plugins', name, 'package.json'))
  )
  const staged = names.map(async (name) => {
    const target = folder === undefined ? join(root, 'plugins', name, STAGE) : join(folder, name)
    await stage(join(root, 'plugins', name), target)
    return [name, target]
  })
  return new Map(await Promise.all(staged))
}

async function stage(source, target) {
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const path of [...ALWAYS, ...manifest.files]) {
    if (path === SHIPPED) shipTexts(join(target, path))
    else cpSync(join(source, path), join(target, path), { recursive: true, filter: (file) => !isCompiled(file) })
  }
  await bundleEntries(source, join(target, 'dist/src'), manifest)
}

/** Replaced by the bundles; the declarations stay. */
function isCompiled(file) {
  return file.includes(`${sep}dist${sep}src${sep}`) && /\.js(?:\.map)?$/.test(file)
}

const SHIPPED = 'dist/shipped'

function shipTexts(target) {
  const readmes = readdirSync(join(root, 'plugins')).map((name) => `plugins/${name}/README.md`)
  for (const path of ['app-template', 'docs', 'CHANGELOG.md', ...readmes]) {
    const from = join(root, path)
    // Pictures are for readers of the pages on the web, the listings of names for those of the sources.
    const left = new Set(['node_modules', 'dist', 'console', 'reference/api'].map((name) => join(from, name)))
    mkdirSync(dirname(join(target, path)), { recursive: true })
    cpSync(from, join(target, path), { recursive: true, filter: (file) => !left.has(file) })
  }
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await stagePackages(process.argv[2])
