/** Where things stand: the top level of the repository, the fixed files of a package, the names of folders. */
import type { Finding } from './finding.ts'

export const TOP_LEVEL: readonly string[] = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'app-template',
  'docs',
  'package-lock.json',
  'package.json',
  'plugins',
  'test',
  'tsconfig.json'
]

export const PACKAGE_FILES: readonly string[] = [
  'package.json',
  'tsconfig.json',
  'README.md',
  'src/index.ts',
  'src/options.ts',
  'src/errors.ts'
]

/** Folders that gather what nobody gave a place. */
const SHAPELESS = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'core', 'shared', 'lib'])

/** `entries` are the names at the root; dotfiles and installed packages are free. */
export function topLevelFindings(entries: readonly string[]): Finding[] {
  const free = (name: string) => name.startsWith('.') || name === 'node_modules'
  const extra = entries.filter((name) => !free(name) && !TOP_LEVEL.includes(name))
  const missing = TOP_LEVEL.filter((name) => !entries.includes(name))
  return [
    ...extra.map((name) => ({
      path: name,
      line: 0,
      problem: 'does not belong at the top level',
      fix: 'move it into plugins, app-template, test, docs or .config'
    })),
    ...missing.map((name) => ({ path: name, line: 0, problem: 'is missing from the top level', fix: 'create it' }))
  ]
}

/** `paths` are all files of the repository, relative to its root. */
export function packageLayoutFindings(name: string, paths: readonly string[]): Finding[] {
  const prefix = `plugins/${name}/`
  const own = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  const missing: Finding[] = PACKAGE_FILES.filter((file) => !own.includes(file)).map((file) => ({
    path: `${prefix}${file}`,
    line: 0,
    problem: 'is missing',
    fix: 'create it: every package has the same files'
  }))
  if (own.some((path) => path.startsWith('test/') && path.endsWith('.test.ts'))) return missing
  return [...missing, { path: `${prefix}test`, line: 0, problem: 'holds no test', fix: 'add test/<name>.test.ts' }]
}

export function folderNameFindings(paths: readonly string[]): Finding[] {
  const folders = new Set(paths.flatMap((path) => prefixesOf(path)))
  return [...folders]
    .filter((folder) => SHAPELESS.has(folder.split('/').at(-1) ?? ''))
    .map((path) => ({
      path,
      line: 0,
      problem: 'says nothing about what it holds',
      fix: 'name the folder after its idea'
    }))
}

/** Names of sources, but for the map that `svc build` writes, are kebab-case, with `.hook`, `.routes`, `.property`, `.config`, then `.test` or `.tst`, as the only other parts. */
export function fileNameFindings(paths: readonly string[]): Finding[] {
  return paths
    .filter(
      (path) =>
        !path.endsWith('/routes.d.ts') &&
        !/(?:^|\/)[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:hook|routes|property|config))?(?:\.(?:test|tst))?\.tsx?$/.test(path)
    )
    .map((path) => ({
      path,
      line: 0,
      problem: 'is not named in kebab-case',
      fix: 'name the file after its export, in kebab-case'
    }))
}

function prefixesOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
