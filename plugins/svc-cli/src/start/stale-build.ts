/** Tells a build that is older than its sources: what was edited since would silently not be served. */
import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Problem } from 'svc-kernel'

const NOT_BUILT = new Set(['node_modules', 'dist', 'test', 'coverage'])

/** @returns a warning, or `null` when the build is up to date or there are no sources to compare it with */
export function staleBuild(root: string): Problem | null {
  const newer = sourcesOf(root).filter((source) => isNewer(source, builtFile(root, source)))
  if (newer.length === 0) return null
  const names = newer.slice(0, 3).map((file) => relative(root, file))
  const subject = newer.length === 1 ? '1 source file is' : `${newer.length} source files are`
  return {
    code: 'SVC_STALE_BUILD',
    message: `${subject} newer than the build (${names.join(', ')}${newer.length > names.length ? ' …' : ''})`,
    at: 'dist/',
    fix: 'npm run build'
  }
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return NOT_BUILT.has(entry.name) || entry.name.startsWith('.') ? [] : sourcesOf(path)
    return /\.[cm]?ts$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : []
  })
}

function builtFile(root: string, source: string): string {
  return join(root, 'dist', relative(root, source).replace(/ts$/, 'js'))
}

/** A source without a built file is newer than the build too. */
function isNewer(source: string, built: string): boolean {
  const output = statSync(built, { throwIfNoEntry: false })
  return output === undefined || statSync(source).mtimeMs > output.mtimeMs
}
