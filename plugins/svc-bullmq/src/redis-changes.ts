/** Changes of endpoints over a channel of Redis. A subscriber has its own connection, as Redis asks of it. */
import type { Redis } from 'ioredis'
import type { Changes } from 'svc-queue/driver'

export class RedisChanges implements Changes {
  readonly #redis: Redis
  readonly #channel: string

  constructor(redis: Redis, channel: string) {
    this.#redis = redis
    this.#channel = channel
  }

  async announce(): Promise<void> {
    await this.#redis.publish(this.#channel, '')
  }

  subscribe(listener: () => void): () => void {
    let isOver = false
    const subscriber = this.#redis.duplicate({ autoResubscribe: false })
    // Without a connection nothing is told, and whoever listens asks by itself.
    subscriber.on('error', () => undefined)
    const told = () => {
      if (!isOver) listener()
    }
    subscriber.on('message', told)
    // Also after a connection was lost: what was told meanwhile is made up for.
    subscriber.on('ready', () => {
      subscriber.subscribe(this.#channel).then(told, () => undefined)
    })
    return () => {
      isOver = true
      subscriber.disconnect()
    }
  }
}
