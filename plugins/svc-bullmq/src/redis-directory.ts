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

  endpoints(): Promise<string[]> {
    return this.#redis.smembers(this.#endpoints)
  }

  async list(endpointIds: readonly string[]): Promise<void> {
    await this.#redis.sadd(this.#endpoints, ...endpointIds)
  }

  async unlist(endpointId: string): Promise<void> {
    await this.#redis.srem(this.#endpoints, endpointId)
  }

  async note(deliveries: readonly Admitted[]): Promise<void> {
    const now = Date.now()
    await this.#redis.zadd(this.#admitted, 'NX', ...deliveries.flatMap((delivery) => [String(now), member(delivery)]))
  }

  async forget(deliveries: readonly Admitted[]): Promise<void> {
    for (const members of batches(deliveries)) await this.#redis.zrem(this.#admitted, ...members)
    await this.slow(deliveries)
  }

  async unhurried(deliveries: readonly Admitted[]): Promise<Admitted[]> {
    const found: { readonly entry: string; readonly at: number }[] = []
    for (const members of batches(deliveries)) {
      const hastened = await this.#redis.smismember(this.#hastened, members)
      const times = await this.#redis.zmscore(this.#admitted, members)
      for (const [index, entry] of members.entries()) {
        if (hastened[index] !== 1) found.push({ entry, at: Number(times[index] ?? 0) })
      }
    }
    return found.toSorted((a, b) => b.at - a.at).map(({ entry }) => parsed(entry))
  }

  async hasten(deliveries: readonly Admitted[]): Promise<void> {
    for (const members of batches(deliveries)) await this.#redis.sadd(this.#hastened, ...members)
  }

  async slow(deliveries: readonly Admitted[]): Promise<void> {
    for (const members of batches(deliveries)) await this.#redis.srem(this.#hastened, ...members)
  }

  async oldestMs(exists: (delivery: Admitted) => Promise<boolean>): Promise<number | null> {
    const now = Date.now()
    for (let skipped = 0; ; ) {
      const found = await this.#redis.zrange(this.#admitted, skipped, String(skipped + LOOKED_AT_ONCE - 1))
      if (found.length === 0) return null
      for (const entry of found) {
        const delivery = parsed(entry)
        const age = now - Number((await this.#redis.zscore(this.#admitted, entry)) ?? now)
        if (await exists(delivery)) return Math.max(0, age)
        if (age > ADMISSION_MS) await this.forget([delivery])
        else skipped += 1
      }
    }
  }

  async enter(holder: string, leaseMs: number): Promise<boolean> {
    return (await this.#redis.set(`${this.#holder}:${holder}`, '1', 'PX', leaseMs, 'NX')) !== null
  }

  async stay(holder: string, leaseMs: number): Promise<boolean> {
    return (await this.#redis.set(`${this.#holder}:${holder}`, '1', 'PX', leaseMs, 'XX')) !== null
  }

  async go(holder: string): Promise<void> {
    await this.#redis.del(`${this.#holder}:${holder}`)
  }
}

function* batches(deliveries: readonly Admitted[]): Iterable<string[]> {
  for (let from = 0; from < deliveries.length; from += 1000) yield deliveries.slice(from, from + 1000).map(member)
}

const member = ({ id, endpointId }: Admitted) => `${id} ${endpointId}`

function parsed(text: string): Admitted {
  const at = text.indexOf(' ')
  return { id: text.slice(0, at), endpointId: text.slice(at + 1) }
}
