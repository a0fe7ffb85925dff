/** The directory beside BullMQ in Redis: a few keys beside those of BullMQ. */
import type { Redis } from 'ioredis'
import { ADMISSION_MS, type Admitted, type Directory } from './directory.ts'

const LOOKED_AT_ONCE = 100

export class RedisDirectory implements Directory {
  readonly #redis: Redis
  readonly #endpoints: string
  readonly #admitted: string
  readonly #hastened: string
  readonly #holder: string

  /** @param base before its keys */
  constructor(redis: Redis, base: string) {
    this.#redis = redis
    this.#endpoints = `${base}:endpoints`
    this.#admitted = `${base}:admitted`
    this.#hastened = `${base}:hastened`
    this.#holder = `${base}:holder`
  }

  lanes(): Promise<string[]> {
    return this.#redis.smembers(this.#endpoints)
  }

  async list(lanes: readonly string[]): Promise<void> {
    await this.#redis.sadd(this.#endpoints, ...lanes)
  }

  async unlist(lane: string): Promise<void> {
    await this.#redis.srem(this.#endpoints, lane)
  }

  async note(jobs: readonly Admitted[]): Promise<void> {
    const now = Date.now()
    await this.#redis.zadd(this.#admitted, 'NX', ...jobs.flatMap((job) => [String(now), member(job)]))
  }

  async forget(jobs: readonly Admitted[]): Promise<void> {
    for (const members of batches(jobs)) await this.#redis.zrem(this.#admitted, ...members)
    await this.slow(jobs)
  }

  async unhurried(jobs: readonly Admitted[]): Promise<Admitted[]> {
    const found: { readonly entry: string; readonly at: number }[] = []
    for (const members of batches(jobs)) {
      const hastened = await this.#redis.smismember(this.#hastened, members)
      const times = await this.#redis.zmscore(this.#admitted, members)
      for (const [index, entry] of members.entries()) {
        if (hastened[index] !== 1) found.push({ entry, at: Number(times[index] ?? 0) })
      }
    }
    return found.toSorted((a, b) => b.at - a.at).map(({ entry }) => parsed(entry))
  }

  async reschedule(jobs: readonly Admitted[]): Promise<void> {
    for (const members of batches(jobs)) await this.#redis.sadd(this.#hastened, ...members)
  }

  async slow(jobs: readonly Admitted[]): Promise<void> {
    for (const members of batches(jobs)) await this.#redis.srem(this.#hastened, ...members)
  }

  async oldestMs(exists: (job: Admitted) => Promise<boolean>): Promise<number | null> {
    const now = Date.now()
    for (let skipped = 0; ; ) {
      const found = await this.#redis.zrange(this.#admitted, skipped, String(skipped + LOOKED_AT_ONCE - 1))
      if (found.length === 0) return null
      for (const entry of found) {
        const job = parsed(entry)
        const age = now - Number((await this.#redis.zscore(this.#admitted, entry)) ?? now)
        if (await exists(job)) return Math.max(0, age)
        if (age > ADMISSION_MS) await this.forget([job])
        else skipped += 1
      }
    }
  }

  async enter(worker: string, leaseMs: number): Promise<boolean> {
    return (await this.#redis.set(`${this.#holder}:${worker}`, '1', 'PX', leaseMs, 'NX')) !== null
  }

  async stay(worker: string, leaseMs: number): Promise<boolean> {
    return (await this.#redis.set(`${this.#holder}:${worker}`, '1', 'PX', leaseMs, 'XX')) !== null
  }

  async go(worker: string): Promise<void> {
    await this.#redis.del(`${this.#holder}:${worker}`)
  }
}

function* batches(jobs: readonly Admitted[]): Iterable<string[]> {
  for (let from = 0; from < jobs.length; from += 1000) yield jobs.slice(from, from + 1000).map(member)
}

const member = ({ id, lane }: Admitted) => `${id} ${lane}`

function parsed(text: string): Admitted {
  const at = text.indexOf(' ')
  return { id: text.slice(0, at), lane: text.slice(at + 1) }
}
