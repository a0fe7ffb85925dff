/**
 * How much of the machine others used while something was measured: all processors' busy time less our own processes'.
 * What a hypervisor took away counts as foreign too. Unknown (`null`) where the system has no /proc/stat.
 */
import { existsSync, readFileSync } from 'node:fs'

/** Of all processors together, since they started, in ticks of the kernel; `elapsed` is busy and idle time. */
export interface MachineTime {
  readonly busy: number
  readonly elapsed: number
}

const STAT = '/proc/stat'
const MICROSECONDS_PER_TICK = 10_000

export function machineTime(): MachineTime | null {
  return existsSync(STAT) ? readMachineTime(readFileSync(STAT, 'latin1')) : null
}

/** @param stat the text of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal, then parts of user and nice */
export function readMachineTime(stat: string): MachineTime {
  const ticks = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? '').split(' ').slice(0, 8).map(Number)
  const elapsed = ticks.reduce((sum, value) => sum + value, 0)
  return { elapsed, busy: elapsed - (ticks[3] ?? 0) - (ticks[4] ?? 0) }
}

/** @param ownUs CPU time of our processes between the two readings @returns share of the machine, 0 to 1 */
export function foreignShare(before: MachineTime | null, after: MachineTime | null, ownUs: number): number | null {
  if (before === null || after === null || after.elapsed === before.elapsed) return null
  const foreign = after.busy - before.busy - ownUs / MICROSECONDS_PER_TICK
  return Math.min(1, Math.max(0, foreign / (after.elapsed - before.elapsed)))
}
