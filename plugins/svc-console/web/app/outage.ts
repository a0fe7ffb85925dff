/**
 * What the application depends on, and does not answer: asked for when an answer says 503, then again and again until all
 * is well. The address is behind no proof, as the proofs may be what does not answer.
 */
import { signal } from '@preact/signals'
import type { ServiceOutage } from '../../src/pages/page-settings.ts'
import { recoveries } from './recoveries.ts'
import { settings } from './settings.ts'

/** `null` while nothing is known to be away. */
export const outages = signal<readonly ServiceOutage[] | null>(null)

const AGAIN_MS = 3000

let timer: ReturnType<typeof setTimeout> | undefined

/** @returns `null` where the application itself does not answer */
export async function readOutages(): Promise<readonly ServiceOutage[] | null> {
  try {
    const answer = await fetch(`${settings.base}/outage`)
    return answer.ok ? ((await answer.json()) as { outages: ServiceOutage[] }).outages : null
  } catch {
    return null
  }
}

/** An answer was 503. What was found a moment before may be older than that: the first look is not the last. */
export function noteUnavailable(): void {
  if (timer === undefined) look(0, false)
}

function look(afterMs: number, isLast: boolean): void {
  timer = setTimeout(async () => {
    const found = await readOutages()
    timer = undefined
    if (found === null || found.length > 0) {
      outages.value = found ?? []
      look(AGAIN_MS, true)
      return
    }
    if (outages.value !== null) recoveries.value += 1
    outages.value = null
    if (!isLast) look(AGAIN_MS, true)
  }, afterMs)
}
