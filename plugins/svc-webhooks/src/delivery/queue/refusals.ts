/**
 * Deliveries of refusals, which anybody can provoke in any number: how many are in a queue, by the network that provoked
 * them. Where a queue is full they give way to all others beyond half of it, and the network that has most to any other.
 */
import type { AuditEvent, AuditPort } from 'svc-kernel'
import { clientNetwork } from 'svc-kernel/plugin'
import { DeliveryJob } from './delivery-job.ts'

/** @returns the network that provoked an event; `null` for an event that is no refusal */
export function provokedFrom({ action, ip }: AuditEvent, { catalogue }: Pick<AuditPort, 'catalogue'>): string | null {
  return catalogue?.get(action)?.provoked === undefined ? null : clientNetwork(ip ?? undefined)
}

/** The delivery of an event of the journal. */
export function jobOf(endpointId: string, event: AuditEvent, audit: Pick<AuditPort, 'catalogue'>): DeliveryJob {
  const job = new DeliveryJob(endpointId, event)
  job.source = provokedFrom(event, audit)
  return job
}

export class Refusals {
  readonly #bySource = new Map<string, number>()
  size = 0

  entered({ source }: DeliveryJob): void {
    if (source === null) return
    this.size += 1
    this.#bySource.set(source, this.#of(source) + 1)
  }

  left({ source }: DeliveryJob): void {
    if (source === null) return
    this.size -= 1
    const rest = this.#of(source) - 1
    if (rest > 0) this.#bySource.set(source, rest)
    else this.#bySource.delete(source)
  }

  /**
   * Whose delivery makes room for this one in a full queue.
   *
   * @param half of the queue @returns `null`: none of these, `'itself'`: there is no room for it
   */
  givesWay({ source }: DeliveryJob, half: number): { readonly source: string } | 'itself' | null {
    if (this.size === 0 || (source === null && this.size <= half)) return null
    const [most, largest] = this.#largest()
    if (source === null || largest > this.#of(source) + 1) return { source: most }
    return this.size >= half ? 'itself' : null
  }

  #of(source: string): number {
    return this.#bySource.get(source) ?? 0
  }

  #largest(): readonly [source: string, count: number] {
    let largest: readonly [string, number] = ['', 0]
    for (const entry of this.#bySource) if (entry[1] > largest[1]) largest = entry
    return largest
  }
}
