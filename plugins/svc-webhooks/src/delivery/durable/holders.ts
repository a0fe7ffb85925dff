/**
 * Who holds deliveries, and who has fallen silent. A holder counts its own beats; another one is silent when its count
 * stood still over several of them. No time is compared, so clocks that differ, or are set, free nothing. What stands under
 * a name that is no holder's was written after that one had left, or was buried, and is freed when it is seen.
 */
import { atLeast, type Database, not, type Table, type TablePlan } from 'svc-stores/table'
import { MISSED_BEATS } from './durable-queue.ts'

interface Holder {
  readonly id: string
  /** Counts up; `GONE` once another one found it silent. */
  readonly beat: number
}

const plan: TablePlan = {
  name: 'svc_webhook_holder',
  collection: 'webhook_holder',
  record: 'holder of webhook deliveries',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'beat', type: 'integer' }
  ]
}

const GONE = -1

interface Watch {
  beat: number
  /** Beats of the watcher for which it has stood still. */
  still: number
}

export interface HolderParts {
  /** The names under which something is held. */
  readonly names: () => Promise<readonly string[]>
  /** Frees what a holder holds. */
  readonly release: (holder: string) => Promise<unknown>
}

export class Holders {
  readonly #table: Table<Holder>
  readonly #parts: HolderParts
  /** By holder of this process, what it saw of the others. */
  readonly #seen = new Map<string, Map<string, Watch>>()

  constructor(database: Database, parts: HolderParts) {
    this.#table = database.table(plan)
    this.#parts = parts
  }

  /** @returns `false` where the holder was found silent */
  async beat(holder: string): Promise<boolean> {
    const seen = this.#seen.get(holder)
    if (seen === undefined) {
      if ((await this.#table.insertNew([{ id: holder, beat: 0 }])) === 0) return false
      this.#seen.set(holder, new Map())
      return true
    }
    if ((await this.#table.update({ id: holder, beat: atLeast(0) }, { add: { beat: 1 } })) === 0) {
      this.#seen.delete(holder)
      return false
    }
    await this.#look(holder, seen)
    return true
  }

  async leave(holder: string): Promise<void> {
    this.#seen.delete(holder)
    await this.#parts.release(holder)
    await this.#table.delete({ id: holder })
  }

  async #look(holder: string, seen: Map<string, Watch>): Promise<void> {
    // Names first: a holder is known before it holds anything.
    const names = await this.#parts.names()
    const others = await this.#table.find({ id: not(holder) })
    const present = new Set(others.map(({ id }) => id))
    for (const name of names) if (name !== holder && !present.has(name)) await this.#parts.release(name)
    for (const id of seen.keys()) if (!present.has(id)) seen.delete(id)
    for (const { id, beat } of others) {
      const watch = seen.get(id) ?? { beat, still: -1 }
      watch.still = watch.beat === beat ? watch.still + 1 : 0
      watch.beat = beat
      seen.set(id, watch)
      if (beat === GONE || watch.still >= MISSED_BEATS) await this.#bury({ id, beat })
    }
  }

  /** Marked first: one that is only late finds out before it goes on. Any other may finish what one that dies here began. */
  async #bury({ id, beat }: Holder): Promise<void> {
    if (beat !== GONE && (await this.#table.update({ id, beat }, { set: { beat: GONE } })) === 0) return
    await this.#parts.release(id)
    await this.#table.delete({ id, beat: GONE })
  }
}
