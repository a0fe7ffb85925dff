/** What a person reads when the server is up: where, in which mode, with which modules, how many warnings. */
import type { Paint } from '../problems/format-problem.ts'

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
