/** The development log over many boots: what the first one told at info level is not told again by the next. */
import type { DevLog } from 'svc-kernel'
import type { Kernel } from '../application/app-packages.ts'

export interface ReloadLog extends DevLog {
  /** While true, only warnings and errors are shown. */
  brief: boolean
}

export function reloadLog(kernel: Kernel): ReloadLog {
  class BootLog extends kernel.DevLog implements ReloadLog {
    brief = false

    override write(line: string): void {
      if (!this.brief || !/^\{"level":[123]0,/.test(line)) super.write(line)
    }
  }
  return new BootLog()
}
