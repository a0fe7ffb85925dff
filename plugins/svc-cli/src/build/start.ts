/** `svc start`: serves what was built, as production does. Needs no development dependency. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatProblem, terminalPaint } from 'svc-kernel/host'
import { importHost } from '../application/app-packages.ts'
import { applicationOf, findRoot, scriptOf } from '../application/find-application.ts'
import { assumeMode } from '../environment.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { complain } from '../output.ts'
import { staleBuild } from './stale-build.ts'

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
