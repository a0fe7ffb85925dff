/** What a person reads when the server is up: where, in which mode, with which modules, how many warnings. */

import { type Paint, runningMode, terminalPaint } from 'svc-kernel/host'
import { pluginMeta } from 'svc-kernel/plugin'
import type { Application } from '../application/application.ts'
import type { ModuleEntry } from '../config/define-config.ts'

/** Module names in load order. */
export function moduleNames({ config }: Application): string[] {
  return config.modules.map((entry: ModuleEntry) => pluginMeta(typeof entry === 'function' ? entry : entry[0]).name)
}

/** The start banner of an application. */
export function banner(app: Application, url: string, warnings: number): string {
  return startBanner(
    {
      name: app.config.name ?? 'app',
      mode: app.config.mode ?? runningMode(),
      url,
      modules: moduleNames(app),
      warnings
    },
    terminalPaint(process.stdout)
  )
}

export interface BannerFacts {
  readonly name: string
  readonly mode: string
  readonly url: string
  /** Module names in load order. */
  readonly modules: readonly string[]
  readonly warnings: number
}

export function startBanner({ name, mode, url, modules, warnings }: BannerFacts, paint: Paint): string {
  const lines = [
    `${paint('green', '●')} ${paint('bold', name)} is ready at ${paint('cyan', url)}  (${mode})`,
    `  modules   ${modules.length > 0 ? modules.join(', ') : 'none'}`
  ]
  if (warnings > 0) lines.push(`  ${paint('yellow', `warnings  ${warnings}, above`)}`)
  return lines.join('\n')
}
