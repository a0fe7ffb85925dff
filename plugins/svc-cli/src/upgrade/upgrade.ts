/**
 * `svc upgrade`: moves the imports of an application to where their names are now, adds the packages that they need, and
 * lists what a new application has and this one lacks. It changes imports and package.json, and nothing else.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type PackageFile, readPackage } from '../application/app-packages.ts'
import { findRoot } from '../application/find-application.ts'
import { moveText } from '../application/moved-names.ts'
import { linkPackages } from '../application/package-links.ts'
import { importVite } from '../application/vite.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'
import { type MovedImport, type MovedImports, moveImports } from './move-imports.ts'
import { type TemplateGap, templateGaps } from './template-gaps.ts'

const COMMAND = 'svc upgrade'

export interface UpgradeOptions extends AppOptions {
  dryRun?: true
}

export async function upgrade(options: UpgradeOptions): Promise<void> {
  const root = findRoot(options.root, COMMAND)
  const write = options.dryRun !== true
  const files = await movedImportsOf(root)
  for (const { path, text, moved } of files) {
    if (write && moved.some(({ rewritten }) => rewritten)) await writeFile(path, text)
    reportFile(root, path, moved)
  }
  const packages = await addPackages(root, files, write)
  const { preset, gaps } = await templateGaps(root)
  if (gaps.length > 0) reportGaps(preset, gaps)
  const byHand = files.flatMap(({ moved }) => moved).filter(({ rewritten }) => !rewritten).length
  print(closing(files.length > 0, packages, byHand, write))
}

export interface MovedFile extends MovedImports {
  /** Absolute. */
  readonly path: string
}

const SOURCE = /\.[cm]?[jt]sx?$/
const SKIPPED = new Set(['node_modules', 'dist', 'coverage'])

/** The sources that import a name that has moved; what does not parse is left to the compiler. */
export async function movedImportsOf(root: string): Promise<MovedFile[]> {
  const { parseSync } = await importVite(root)
  const found: MovedFile[] = []
  for (const path of await sourcesIn(root)) {
    const text = await readFile(path, 'utf8')
    if (!text.includes('svc-')) continue
    const parsed = parseSync(path, text)
    if (parsed.errors.length > 0) continue
    const result = moveImports(text, parsed.module)
    if (result.moved.length > 0) found.push({ path, ...result })
  }
  return found
}

async function sourcesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const nested = entries
    .filter(({ name }) => !SKIPPED.has(name) && !name.startsWith('.'))
    .map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return sourcesIn(path)
      return entry.isFile() && SOURCE.test(entry.name) ? [path] : []
    })
  return (await Promise.all(nested)).flat().sort()
}

/** Adds to package.json what rewritten imports need, in the version of the packages that are there. @returns their names */
async function addPackages(root: string, files: readonly MovedFile[], write: boolean): Promise<string[]> {
  const manifest = readPackage(root)
  const present = { ...manifest.dependencies, ...manifest.devDependencies }
  const needed = files.flatMap(({ added }) => added).map((specifier) => specifier.split('/', 1)[0] as string)
  const absent = [...new Set(needed)].filter((name) => !(name in present)).sort()
  if (absent.length === 0) return []
  const range = present['svc-kernel'] ?? present['svc-cli'] ?? 'latest'
  const own = range.startsWith('file:') ? '' : range
  const links = own === '' ? linkPackages(Object.fromEntries(absent.map((name) => [name, 'latest'])), root) : null
  const ranges = absent.map((name): [string, string] => [name, links?.[name] ?? own])
  print('EDIT package.json')
  for (const [name, version] of ranges) print(`  + ${name} ${version}`)
  if (write) await writeManifest(root, manifest, ranges)
  return absent
}

async function writeManifest(root: string, manifest: PackageFile, ranges: Array<[string, string]>): Promise<void> {
  const all = [...Object.entries(manifest.dependencies ?? {}), ...ranges].sort(([a], [b]) => (a < b ? -1 : 1))
  const file = join(root, 'package.json')
  const indent = /^\s+(?=")/m.exec(await readFile(file, 'utf8'))?.[0].replace(/\n/g, '') ?? '  '
  await writeFile(file, `${JSON.stringify({ ...manifest, dependencies: Object.fromEntries(all) }, null, indent)}\n`)
}

function reportFile(root: string, path: string, moved: readonly MovedImport[]): void {
  const file = relative(root, path)
  const edited = moved.filter(({ rewritten }) => rewritten)
  if (edited.length > 0) print(`EDIT ${file}`)
  for (const { line, from, name, move } of edited) {
    if (move.kind === 'moved')
      print(`  ${line}: ${name}  ${from} -> ${move.to}${move.name === name ? '' : ` (${move.name})`}`)
  }
  for (const { line, from, name, move, rewritten } of moved) {
    if (!rewritten) print(`BY HAND ${file}:${line}  ${name} of ${from}: ${moveText(move)}`)
  }
}

function reportGaps(preset: string, gaps: readonly TemplateGap[]): void {
  print(`\nA new application (preset ${preset}) has, and this one does not:`)
  for (const { what, template, here } of gaps) {
    const value = template === null ? '' : `: ${template}`
    print(`  ${what}${value}${here === null ? '' : `  (here: ${here})`}`)
  }
}

function closing(moved: boolean, packages: readonly string[], byHand: number, write: boolean): string {
  if (!moved) return '\nNo import has moved. For other changes: npx svc docs upgrading'
  if (!write) return '\nNothing was written (--dry-run).'
  const steps = [
    ...(byHand > 0 ? [`change the ${byHand} place${byHand === 1 ? '' : 's'} named BY HAND`] : []),
    ...(packages.length > 0 ? ['npm install'] : []),
    'npm test',
    'npx svc docs upgrading, for changes without an import'
  ]
  return ['', 'Next:', ...steps.map((step) => `  ${step}`)].join('\n')
}
