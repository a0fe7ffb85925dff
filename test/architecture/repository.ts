/** The repository as the architecture tests see it: its folders, its packages and the text of its files. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

/** Absolute folder of the repository, seen from the compiled tests. */
export const ROOT = resolve(import.meta.dirname, '../../..')

/** A text file: its path from the root, with forward slashes, and what it holds. */
export interface SourceFile {
  path: string
  text: string
}

/** What the rules read of a `package.json`. */
export interface PackageJson {
  name?: string
  version?: string
  license?: string
  homepage?: string
  repository?: { type?: string; url?: string; directory?: string }
  type?: string
  engines?: Record<string, string>
  exports?: Record<string, unknown>
  files?: string[]
  keywords?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** The sources that are published: what each package holds outside its tests. */
export const PACKAGE_SOURCES = ['plugins/*/src/**/*.ts', 'plugins/*/bin/**/*.js']
/** What runs in a browser. Declarations of what a build makes are no sources. */
export const WEB_SOURCES = ['plugins/*/web/**/!(*.d).{ts,tsx}']
export const PACKAGE_TESTS = ['plugins/*/test/**/*.ts']
export const SPANNING_TESTS = ['test/**/*.ts']
export const TEMPLATE_SOURCES = ['app-template/**/*.ts']
export const SETUP_SCRIPTS = ['.config/*.mjs']

const generated = new Set(['node_modules', 'dist', '.git', '.tap', '.demo', 'coverage'])

/** The files that match one of the patterns, without what is installed or compiled, in a stable order. */
export function readFiles(...patterns: string[]): SourceFile[] {
  const paths = globSync(patterns, { cwd: ROOT, withFileTypes: true, exclude: (entry) => generated.has(entry.name) })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  return [...new Set(paths)].sort().map((path) => ({
    path: path.split(sep).join('/'),
    text: readFileSync(join(ROOT, path), 'utf8')
  }))
}

export function readFile(path: string): SourceFile {
  return { path, text: readFileSync(inRoot(path), 'utf8') }
}

/** Names of the folders under `plugins/` that are packages with code of their own: `create-svc` only starts svc-cli. */
export function packageNames(): string[] {
  return readdirSync(join(ROOT, 'plugins'))
    .filter((name) => existsSync(inRoot(`plugins/${name}/src`)))
    .sort()
}

export function inRoot(path: string): string {
  return join(ROOT, path)
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(inRoot(path), 'utf8')) as T
}

/** `svc-kernel` for every file under `plugins/svc-kernel/`, `null` for files that belong to no package. */
export function packageOf(path: string): string | null {
  return /^plugins\/([^/]+)\//.exec(path)?.[1] ?? null
}
