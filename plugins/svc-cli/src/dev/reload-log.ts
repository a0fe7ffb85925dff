/** The development log over many boots: what an earlier one logged at info level is not repeated by the next. */
import type { DevLog } from 'svc-host'
import type { Host } from '../application/app-packages.ts'

export interface ReloadLog extends DevLog {
  /** While true, lines logged before are not repeated; warnings and errors always are. */
  brief: boolean
}

/** Texts that are remembered; a log with more of them repeats itself a little. */
const MEMORY = 1000

/** @param output where lines are written; default: standard output */
export function reloadLog(host: Pick<Host, 'DevLog'>, output?: NodeJS.WritableStream): ReloadLog {
  const told = new Set<string>()
  class BootLog extends host.DevLog implements ReloadLog {
    brief = false

    override write(line: string): void {
      const text = quietText(line)
      if (text === null || !this.brief || !told.has(text)) super.write(line)
      if (text !== null && told.size < MEMORY) told.add(text)
    }
  }
  return new BootLog(output)
}

/** The text of a line below warnings; `null` for any other. */
function quietText(line: string): string | null {
  if (!/^\{"level":[123]0,/.test(line)) return null
  return /"msg":("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? ''
}
