/**
 * Says that this instance lives, and watches the others. Whether another one lives is judged by its heartbeats, as this
 * process sees them move: clocks of two machines are never compared for that. How far a clock is off is told beside it.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced, randomId } from 'svc-kernel/plugin'
import type { InstanceFigures, InstanceRecord, InstancesStore } from './instances-store.ts'

export const HEARTBEAT_MS = 5_000
/** Heartbeats that are missed before an instance counts as silent. */
const MISSED = 3
/** A row without a heartbeat for this long is removed. */
const FORGET_MS = 600_000
/** A difference between clocks below this one is not told. */
const TOLERATED_MS = 1_000

/** `unconfirmed`: there is a row, and this process has not seen a heartbeat of it yet. */
export type InstanceState = 'serving' | 'leaving' | 'silent' | 'unconfirmed'

export interface ShownInstance extends InstanceRecord {
  readonly state: InstanceState
  /** How long its heartbeat has not moved, in ms, by the clock of the instance that tells it. */
  readonly silentMs: number
  /** How far its clock is ahead (behind: less than 0) of the one that tells it, in ms, at least; 0 within a second. */
  readonly clockOffMs: number
}

interface Watch {
  beat: number
  /** Of this clock: when the heartbeat was last seen to move, or the row was first seen. */
  movedAt: number
  /** Of this clock: the look before. */
  lookedAt: number
  confirmed: boolean
  clockOffMs: number
}

export interface PresenceParts {
  /** Where instances meet; `null` where the store is disabled. */
  readonly store: () => InstancesStore | null
  readonly name: string
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly figures: () => InstanceFigures
  readonly leaving: () => boolean
}

export class Presence {
  readonly id: string = randomId('instance')
  readonly #parts: PresenceParts
  readonly #startedAt: number
  readonly #watches = new Map<string, Watch>()
  /** The rows of others at the last look. */
  #seen: readonly InstanceRecord[] = []
  #beat = 0
  #timer: unknown = null
  #failing = false
  /** The heartbeat under way: one that ends after `leave` would bring the row back. */
  #beating: Promise<void> = Promise.resolve()

  constructor(parts: PresenceParts) {
    this.#parts = parts
    this.#startedAt = parts.clock.now()
  }

  /** Begins the heartbeats. Its timer keeps no process alive. */
  start(): void {
    this.#timer = {}
    this.#beating = this.#heartbeat()
  }

  /** Ends the heartbeats and removes the row. */
  async leave(): Promise<void> {
    if (this.#timer === null) return
    this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
    await this.#beating
    await this.#attempt(async () => this.#parts.store()?.remove(this.id))
  }

  /** This instance as it is now, and the others as the store has them. @throws what the store throws */
  async view(): Promise<readonly ShownInstance[]> {
    await this.#look()
    const now = this.#parts.clock.now()
    const own: ShownInstance = { ...this.#record(), state: stateOf(this.#parts.leaving()), silentMs: 0, clockOffMs: 0 }
    const others = this.#seen.flatMap((record) => {
      const watch = this.#watches.get(record.id)
      return watch === undefined ? [] : [shown(record, watch, now)]
    })
    return [own, ...others].sort((a, b) => a.startedAt - b.startedAt)
  }

  async #heartbeat(): Promise<void> {
    await this.#attempt(async () => {
      await this.#write()
      await this.#look()
      await this.#forget()
    })
    if (this.#timer === null) return
    this.#timer = this.#parts.clock.setTimeout(() => {
      this.#beating = this.#heartbeat()
    }, HEARTBEAT_MS)
  }

  async #write(): Promise<void> {
    this.#beat += 1
    await this.#parts.store()?.write(this.#record())
  }

  #record(): InstanceRecord {
    const { name, clock, figures, leaving } = this.#parts
    return {
      id: this.id,
      name,
      pid: process.pid,
      startedAt: this.#startedAt,
      beat: this.#beat,
      at: clock.now(),
      leaving: leaving(),
      figures: figures()
    }
  }

  async #look(): Promise<void> {
    const rows = (await this.#parts.store()?.list()) ?? []
    this.#seen = rows.filter(({ id }) => id !== this.id)
    const now = this.#parts.clock.now()
    for (const { id, beat, at } of this.#seen) {
      const watch = this.#watches.get(id)
      if (watch === undefined) {
        this.#watches.set(id, { beat, movedAt: now, lookedAt: now, confirmed: false, clockOffMs: 0 })
        continue
      }
      if (watch.beat !== beat) {
        // It was written between the last look and this one.
        watch.clockOffMs = at > now ? at - now : Math.min(0, at - watch.lookedAt)
        Object.assign(watch, { beat, movedAt: now, confirmed: true })
      }
      // Set back: the wait begins again.
      if (now < watch.movedAt) watch.movedAt = now
      watch.lookedAt = now
    }
    const known = new Set(this.#seen.map(({ id }) => id))
    for (const id of this.#watches.keys()) if (!known.has(id)) this.#watches.delete(id)
  }

  /** An instance that was only stopped writes its row again at its next heartbeat. */
  async #forget(): Promise<void> {
    const now = this.#parts.clock.now()
    for (const [id, { movedAt, beat }] of this.#watches) {
      if (now - movedAt >= FORGET_MS) await this.#parts.store()?.remove(id, beat)
    }
  }

  /** A heartbeat that fails is told once, and again after one that did not; a database says itself that it is gone. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
      this.#failing = false
    } catch (error) {
      const fields = { code: 'SVC_OPS_INSTANCES', err: error }
      const level = isAnnounced(error) || this.#failing ? 'debug' : 'warn'
      this.#parts.log[level](fields, 'the heartbeat of this instance could not be written')
      this.#failing = true
    }
  }
}

function stateOf(leaving: boolean): InstanceState {
  return leaving ? 'leaving' : 'serving'
}

function shown(record: InstanceRecord, { movedAt, confirmed, clockOffMs }: Watch, now: number): ShownInstance {
  const silentMs = Math.max(0, now - movedAt)
  const isSilent = silentMs >= MISSED * HEARTBEAT_MS
  const state = isSilent ? 'silent' : confirmed ? stateOf(record.leaving) : 'unconfirmed'
  return { ...record, state, silentMs, clockOffMs: Math.abs(clockOffMs) < TOLERATED_MS ? 0 : clockOffMs }
}
