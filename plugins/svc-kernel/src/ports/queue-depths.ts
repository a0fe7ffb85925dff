/**
 * What waits inside an application, as `fastify.queueDepths`: a plugin with its own queue adds it while it registers,
 * and svc-ops shows it to administrators. Without svc-ops nothing is ever asked.
 */

/** What waits in a queue that instances share. */
export interface QueueBacklog {
  /** How long the job has been due that no worker has taken and that waits longest, ms; `null` without one. */
  readonly lateMs: number | null
  /** Jobs that no worker has taken, by lane: lanes that code and options name, and one for all others. */
  readonly lanes: ReadonlyMap<string, number>
}

interface KnownQueue {
  readonly depth: () => number
  readonly backlog: (() => Promise<QueueBacklog>) | undefined
}

export class QueueDepths {
  readonly #queues = new Map<string, KnownQueue>()

  /**
   * @param name unique in the application, such as `audit`
   * @param depth how much waits in this process; cheap
   * @param backlog of a queue that outlives the process: asked when metrics are read; rejects if it cannot be reached
   * @returns `false` for a name that is taken
   */
  add(name: string, depth: () => number, backlog?: () => Promise<QueueBacklog>): boolean {
    if (this.#queues.has(name)) return false
    this.#queues.set(name, { depth, backlog })
    return true
  }

  *entries(): Generator<[name: string, depth: () => number]> {
    for (const [name, { depth }] of this.#queues) yield [name, depth]
  }

  /** Those of queues that outlive the process. */
  *backlogs(): Generator<[name: string, backlog: () => Promise<QueueBacklog>]> {
    for (const [name, { backlog }] of this.#queues) if (backlog !== undefined) yield [name, backlog]
  }
}
