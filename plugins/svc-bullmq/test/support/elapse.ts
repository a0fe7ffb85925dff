/** Time passes in Redis: leases run out, and what waits for its time comes nearer, without anybody waiting. */
import type { Redis } from 'ioredis'

export async function elapse(redis: Redis, ms: number): Promise<void> {
  for (const key of await redis.keys('*')) {
    const left = await redis.pttl(key)
    if (left > ms) await redis.pexpire(key, left - ms)
    else if (left >= 0) await redis.del(key)
    if ((await redis.type(key)) !== 'zset' || key.endsWith(':marker')) continue
    // A score of BullMQ holds the time and a counter below it.
    const by = key.endsWith(':delayed') ? ms * 0x1000 : ms
    for (const member of await redis.zrange(key, 0, '-1')) await redis.zincrby(key, -by, member)
  }
}
