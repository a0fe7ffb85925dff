/** `svc start`: serves what was built, as production does. Needs no development dependency. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Problem } from 'svc-kernel'
import { formatProblem, terminalPaint } from 'svc-kernel/host'
import { importHost } from '../application/app-packages.ts'
import { applicationOf, findRoot, scriptOf } from '../application/find-application.ts'
import { assumeMode } from '../environment.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { complain } from '../output.ts'

const COMMAND = 'svc start'

/** @throws CommandError SVC_NO_CONFIG or SVC_NO_BUILD; what fails later is printed and ends the process with code 1 */
export async function start(options: AppOptions): Promise<void> {
  const root = findRoot(options.root, COMMAND)
  const entry = join(root, 'dist', 'app.js')
  if (!existsSync(entry)) throw new CommandError(noBuild(entry))
  process.chdir(root)
  assumeMode('production')
  const host = await importHost(root)
  const stale = staleBuild(root)
  if (stale !== null) complain(formatProblem(stale, terminalPaint(process.stderr), '▲'))
  const app = applicationOf((await import(pathToFileURL(entry).href)) as Record<string, unknown>, entry)
  await host.serve(app, scriptOf(COMMAND))
}

function noBuild(entry: string) {
  return { code: 'SVC_NO_BUILD', message: 'there is no build to start', at: entry, fix: 'npm run build' }
}

const NOT_BUILT = new Set(['node_modules', 'dist', 'test', 'coverage'])

/**
 * Detects a build that is older than its sources: later edits would silently not be served.
 *
 * @returns a warning, or `null` when the build is up to date or there are no sources to compare it with
 */
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
