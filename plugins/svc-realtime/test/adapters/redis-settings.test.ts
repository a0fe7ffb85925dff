/** What does not need a server: delays of reconnections, and addresses without their secrets. */
import t from 'tap'
import { retryDelay, shownTarget } from '../../src/adapters/redis-settings.ts'

t.strictSame(
  [1, 2, 3, 4, 5, 6, 7, 1000].map(retryDelay),
  [50, 100, 200, 400, 800, 1000, 1000, 1000],
  'doubling, up to two seconds'
)

const addresses = [
  ['redis://127.0.0.1:6379', 'redis://127.0.0.1:6379'],
  ['redis://user:password@host', 'redis://host'],
  ['rediss://:p%40ss@host:1/2?password=x', 'rediss://host:1/2'],
  ['redis://[', 'an unreadable address']
] as const

for (const [url, shown] of addresses) t.equal(shownTarget(url), shown)
