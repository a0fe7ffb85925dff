/**
 * The lease under which this worker holds jobs. Heartbeats extend it. The worker takes another name once it has expired, or
 * once it cannot know what it holds; a name that it gave up and could not leave expires.
 */
import { randomId } from 'svc-kernel/plugin'
import { HEARTBEAT_MS, type Queue } from '../queue.ts'

export interface LeaseOwner {
  /** Others have the jobs that the worker held, or are about to. */
  leaseLost(): void
  failed(operation: 'heartbeat', error: unknown): void
}

export class WorkerLease {
  readonly #queue: Pick<Queue, 'heartbeat' | 'leave'>
  readonly #owner: LeaseOwner
  #worker = randomId('worker')
  #alive = false
  /** Calls until the next heartbeat. */
  #rest = 0
  /** Names that it gave up and is still to leave. */
  readonly #former = new Set<string>()

  constructor(queue: Pick<Queue, 'heartbeat' | 'leave'>, owner: LeaseOwner) {
    this.#queue = queue
    this.#owner = owner
  }

  /** The name under which it holds. */
  get worker(): string {
    return this.#worker
  }

  /** The lease has begun: others get what the worker holds when it dies. */
  get alive(): boolean {
    return this.#alive
  }

  /** @returns what it holds by this call: nothing if it took another name meanwhile */
  async holding(call: (worker: string) => Promise<readonly string[]>): Promise<readonly string[]> {
    const name = this.#worker
    const held = await call(name)
    return this.#worker === name ? held : []
  }

  /** Called regularly; sends a heartbeat when one is due. @param everyMs how often it is called */
  async keep(everyMs: number): Promise<void> {
    this.#rest -= 1
    if (this.#alive && this.#rest > 0) return
    this.#rest = Math.floor(HEARTBEAT_MS / everyMs)
    try {
      await this.#leaveFormer()
      this.#alive = await this.#queue.heartbeat(this.#worker)
      if (this.#alive) return
      this.#owner.leaseLost()
      this.#worker = randomId('worker')
      this.#alive = await this.#queue.heartbeat(this.#worker)
    } catch (error) {
      this.#owner.failed('heartbeat', error)
    }
  }

  /**
   * The answer of a call under its name is lost, or late: the queue may have handed out jobs that the worker does not know
   * of, or taken back some that it will be handed out again.
   *
   * @param over the name is left once this has ended
   */
  doubt(over: Promise<unknown>): void {
    const former = this.#worker
    this.#alive = false
    this.#rest = 0
    this.#worker = randomId('worker')
    this.#owner.leaseLost()
    const leaveLater = () => void this.#former.add(former)
    over.then(leaveLater, leaveLater)
  }

  /** Others get what it holds. */
  async leave(): Promise<void> {
    await this.#leaveFormer()
    await this.#queue.leave(this.#worker)
  }

  async #leaveFormer(): Promise<void> {
    for (const name of this.#former) {
      await this.#queue.leave(name)
      this.#former.delete(name)
    }
  }
}
