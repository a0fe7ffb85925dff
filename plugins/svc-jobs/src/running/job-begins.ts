/**
 * Says in the records of jobs that an attempt runs. Where a process may have ended during one, the work waits for that, so
 * that such ends are counted. Of all others it is said a moment later, and not at all of one that is over by then: what
 * becomes of it is written in any case.
 */
import type { Clock } from 'svc-kernel'
import type { JobStore } from '../records/job-store.ts'
import { Gathered } from './gathered.ts'

/** An attempt that is over sooner is not said to run, ms. */
const UNSAID_MS = 50
/** When it is said again what could not be stored, ms. */
const AGAIN_MS = 1_000

interface Unsaid {
  /** Epoch ms, as `dueAt`. */
  readonly begunAt: number
  readonly dueAt: number
}

export class JobBegins {
  readonly #clock: Clock
  readonly #begun: Gathered<string, boolean>
  /** By id of the job. */
  readonly #unsaid = new Map<string, Unsaid>()
  readonly #saying = new Map<string, Promise<void>>()
  #timer: unknown = null

  constructor({ store, clock }: { readonly store: Pick<JobStore, 'begin'>; readonly clock: Clock }) {
    this.#clock = clock
    this.#begun = new Gathered(async (ids) => {
      const ended = new Set(await store.begin(ids))
      return ids.map((id) => !ended.has(id))
    })
  }

  /** @returns `false`: the job has ended, or is gone. Rejects if it cannot be stored */
  now(id: string): Promise<boolean> {
    return this.#begun.get(id)
  }

  soon(id: string): void {
    const begunAt = this.#clock.now()
    this.#wait(id, { begunAt, dueAt: begunAt + UNSAID_MS })
  }

  /** Says it at the latest now. Never rejects. */
  async said(id: string): Promise<void> {
    const unsaid = this.#unsaid.get(id)
    if (unsaid !== undefined) this.#say(id, unsaid)
    await this.#saying.get(id)
  }

  /** The attempt is over: nothing more is said of it. @returns when it began, epoch ms, unless that was said. Never rejects */
  async over(id: string): Promise<number | null> {
    await this.#saying.get(id)
    const unsaid = this.#unsaid.get(id)
    this.#unsaid.delete(id)
    return unsaid?.begunAt ?? null
  }

  #wait(id: string, unsaid: Unsaid): void {
    this.#unsaid.set(id, unsaid)
    this.#timer ??= this.#clock.setTimeout(() => this.#look(), UNSAID_MS)
  }

  #look(): void {
    this.#timer = null
    const now = this.#clock.now()
    for (const [id, unsaid] of this.#unsaid) {
      if (unsaid.dueAt <= now) this.#say(id, unsaid)
    }
    if (this.#unsaid.size > 0) this.#timer = this.#clock.setTimeout(() => this.#look(), UNSAID_MS)
  }

  #say(id: string, { begunAt }: Unsaid): void {
    this.#unsaid.delete(id)
    const say = async () => {
      try {
        await this.#begun.get(id)
      } catch {
        this.#wait(id, { begunAt, dueAt: this.#clock.now() + AGAIN_MS })
      }
      this.#saying.delete(id)
    }
    this.#saying.set(id, say())
  }
}
