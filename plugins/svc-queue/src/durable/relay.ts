/**
 * The relay of a transactional outbox: jobs that were stored with the data of a transaction go from that queue to another
 * one. It forgets a job only once the other queue has it, and one that is handed over twice has one id: nothing is lost. What
 * a relay held that was killed goes to another one.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced } from 'svc-kernel/plugin'
import { aroundCalls } from 'svc-stores/plugin'
import { type HeldJob, QUEUE_OPERATIONS, type Queue, type QueueOperation } from '../queue.ts'
import { inTime, type QueueTexts } from '../texts.ts'
import { WorkerLease } from './worker-lease.ts'

/** The two queues of a relay, and what it tells. */
export interface RelayParts {
  /** In the database of the transactions. */
  readonly outbox: Queue
  /** Where jobs wait for workers. */
  readonly queue: Queue
  readonly texts: QueueTexts
  /** The id of a job in the queue, the same whenever it is handed over. Default: its own. */
  readonly idOf?: (job: HeldJob) => string
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** The queue has jobs that it had not before. */
  readonly relayed: () => void
}

/** How often the outbox is looked at: for jobs that are due, and for those of relays that were killed, ms. */
const LOOK_MS = 1_000
const AT_ONCE = 500
/** The relay is no worker of the queue: it holds nothing there. */
const NO_WORKER = ''

/** Hands the jobs of one queue over to another, at least once each and under one id. */
export class Relay {
  readonly #parts: RelayParts
  /** Its calls have a deadline, as those of the queue. */
  readonly #outbox: Queue
  readonly #queue: Queue
  readonly #lease: WorkerLease
  /** Claimed, and not yet known to be with the queue. */
  #batch: readonly HeldJob[] = []
  /** Epoch ms. */
  #claimedAt = 0
  #timer: unknown = null
  #moving: Promise<void> | null = null
  #isMore = false
  /** What failed last is tried again at the next look. */
  #isAway = false
  #stopped = false

  constructor(parts: RelayParts) {
    const { outbox, queue, texts, clock } = parts
    const timely = (driver: Queue) =>
      aroundCalls(driver, QUEUE_OPERATIONS, (call) => inTime(clock, texts, async () => call()))
    this.#parts = parts
    this.#outbox = timely(outbox)
    this.#queue = timely(queue)
    this.#lease = new WorkerLease(this.#outbox, {
      leaseLost: () => {
        this.#batch = []
      },
      failed: (operation, error) => this.#failed(operation, error)
    })
  }

  /** Hands over what is there, and comes again. Never rejects. */
  async start(): Promise<void> {
    if (this.#stopped) return
    await this.#lease.keep(LOOK_MS)
    await this.#moved()
    if (!this.#stopped) this.#timer = this.#parts.clock.setTimeout(() => void this.start(), LOOK_MS)
  }

  /** Jobs were stored in the outbox. */
  look(): void {
    if (!this.#isAway && !this.#stopped) void this.#moved()
  }

  /** How long the job has been due that waits longest to be handed over, as far as this relay knows, ms; `null`: none is due. */
  async lateMs(): Promise<number | null> {
    const waiting = (await this.#parts.outbox.lateMs?.()) ?? null
    if (this.#batch.length === 0) return waiting
    return Math.max(waiting ?? 0, this.#parts.clock.now() - this.#claimedAt)
  }

  /** Others get what it holds. Never rejects. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    await this.#moving
    await this.#lease.leave().catch((error: unknown) => this.#failed('leave', error))
  }

  /** Resolves when what the outbox has is handed over, or could not be. */
  #moved(): Promise<void> {
    this.#isMore = true
    this.#moving ??= this.#move().finally(() => {
      this.#moving = null
    })
    return this.#moving
  }

  async #move(): Promise<void> {
    let doing: QueueOperation = 'claim'
    try {
      while (this.#lease.alive && !this.#stopped && (this.#batch.length > 0 || this.#isMore)) {
        doing = 'claim'
        if (this.#batch.length === 0) this.#batch = await this.#claim()
        const { worker } = this.#lease
        const batch = this.#batch
        if (batch.length === 0) continue
        doing = 'admit'
        const { idOf = ownId } = this.#parts
        const jobs = batch.map(({ attempts, ...job }) => ({ ...job, id: idOf({ attempts, ...job }), held: false }))
        await this.#queue.admit(NO_WORKER, jobs)
        this.#parts.relayed()
        doing = 'settle'
        await this.#outbox.settle(worker, { ended: batch.map(({ id }) => id), retried: [], released: [] })
        this.#batch = []
      }
      this.#isAway = false
    } catch (error) {
      this.#failed(doing, error)
    }
  }

  async #claim(): Promise<readonly HeldJob[]> {
    this.#isMore = false
    this.#claimedAt = this.#parts.clock.now()
    const { outbox, clock, texts } = this.#parts
    const claim = outbox.claim(this.#lease.worker, AT_ONCE, () => AT_ONCE)
    try {
      const found = await inTime(clock, texts, () => claim)
      this.#isMore ||= found.length > 0
      return found
    } catch (error) {
      // The answer may come late: others get what it hands out.
      this.#lease.doubt(claim)
      throw error
    }
  }

  #failed(operation: QueueOperation, error: unknown): void {
    const { log, texts } = this.#parts
    // Once: it is tried again every second.
    const level = this.#isAway || isAnnounced(error) ? 'debug' : 'error'
    this.#isAway = true
    log[level]({ code: texts.code, err: error }, texts.failed[operation])
  }
}

function ownId({ id }: HeldJob): string {
  return id
}
