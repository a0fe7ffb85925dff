/** `svc start`: serves what was built, as production does. Needs no development dependency. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importHost, importKernel } from '../application/app-packages.ts'
import { applicationOf } from '../application/application-of.ts'
import { findRoot } from '../application/find-root.ts'
import { assumeMode } from '../environment.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { complain } from '../output.ts'
import { staleBuild } from './stale-build.ts'

const COMMAND = { script: 'npm start', direct: 'svc start' }

/** @throws CommandError SVC_NO_CONFIG or SVC_NO_BUILD; what fails later is printed and ends the process with code 1 */
export async function start(options: AppOptions): Promise<void> {
  const root = findRoot(options.root, COMMAND)
  const entry = join(root, 'dist', 'app.js')
  if (!existsSync(entry)) throw new CommandError(noBuild(entry))
  process.chdir(root)
  assumeMode('production')
  const [kernel, host] = await Promise.all([importKernel(root), importHost(root)])
  const stale = staleBuild(root)
  if (stale !== null) complain(kernel.formatProblem(stale, kernel.terminalPaint(process.stderr), '▲'))
  const app = applicationOf((await import(pathToFileURL(entry).href)) as Record<string, unknown>, entry)
  await host.serve(app, COMMAND.script)
}

function noBuild(entry: string) {
  return { code: 'SVC_NO_BUILD', message: 'there is no build to start', at: entry, fix: 'npm run build' }
}
