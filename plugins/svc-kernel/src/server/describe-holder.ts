/** The holder of a port in words: which process, for how long, and from where. Pure. */
import type { PortHolder } from './port-holder.ts'

/** @param now epoch milliseconds */
export function describeHolder({ pid, program, startedAt, folder }: PortHolder, now: number): string {
  const minutes = Math.max(0, Math.round((now - startedAt) / 60_000))
  const since = minutes < 1 ? 'just now' : minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
  return `pid ${pid} (${program}, started ${since}${folder === null ? '' : ` from ${folder}`})`
}
