/**
 * Whether a build is older than its sources. What the compiler left out of it by its settings has no built file and is no
 * source: the build notes which these are, as it alone has the compiler.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Problem } from 'svc-kernel'

const NOT_BUILT = new Set(['node_modules', 'dist', 'test', 'coverage'])

/** In the folder of a build. */
const LEFT_OUT = '.left-out.json'

/** @param build folder of what was compiled */
export function noteLeftOut(root: string, build: string): void {
  const leftOut = sourcesOf(root, root).filter((source) => !existsSync(builtFile(build, source)))
  writeFileSync(join(build, LEFT_OUT), `${JSON.stringify(leftOut)}\n`)
}

/**
 * Detects a build that is older than its sources: later edits would silently not be served.
 *
 * @returns a warning, or `null` when the build is up to date or there are no sources to compare it with
 */
export function staleBuild(root: string): Problem | null {
  const build = join(root, 'dist')
  const leftOut = readLeftOut(join(build, LEFT_OUT))
  const newer = sourcesOf(root, root).filter((source) => {
    return !leftOut.has(source) && isNewer(join(root, source), builtFile(build, source))
  })
  if (newer.length === 0) return null
  const names = newer.slice(0, 3)
  const subject = newer.length === 1 ? '1 source file is' : `${newer.length} source files are`
  return {
    code: 'SVC_STALE_BUILD',
    message: `${subject} newer than the build (${names.join(', ')}${newer.length > names.length ? ' …' : ''})`,
    at: 'dist/',
    fix: 'npm run build'
  }
}

/** Paths relative to the root. */
function sourcesOf(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return NOT_BUILT.has(entry.name) || entry.name.startsWith('.') ? [] : sourcesOf(root, path)
    return /\.[cm]?ts$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [relative(root, path)] : []
  })
}

function builtFile(build: string, source: string): string {
  return join(build, source.replace(/ts$/, 'js'))
}

/** A build of the compiler alone has no note. */
function readLeftOut(path: string): ReadonlySet<string> {
  return new Set(existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as string[]) : [])
}

/** A source without a built file is newer than the build too. */
function isNewer(source: string, built: string): boolean {
  const output = statSync(built, { throwIfNoEntry: false })
  return output === undefined || statSync(source).mtimeMs > output.mtimeMs
}
