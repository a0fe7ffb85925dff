/**
 * Budgets in Redis or Valkey: a key with its theoretical arrival time, which the server forgets when all is paid back. A
 * call is one script, which is atomic and reads the time of the server: clocks of instances play no part.
 */
import { type Pace, type Spent, wholeOf } from '../limit/gcra.ts'
import type { LimitsStore, Spending } from './limits-store.ts'

/** The part of an ioredis client that the store needs. */
export interface RedisClient {
  eval(script: string, keys: number, ...given: (string | number)[]): Promise<unknown>
}

const PREFIX = 'svc:limit:'

/** A negative cost gives back. Numbers of this size need their digits written out: Lua rounds them to 14. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local whole, step = tonumber(ARGV[1]), tonumber(ARGV[2])
local ahead = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or now) - now, 0), whole)
local after = math.max(ahead + step, 0)
if step > 0 and after > whole then return { 0, ahead } end
if after > 0 then
  redis.call('SET', KEYS[1], string.format('%.0f', now + after), 'PX', math.ceil(after / 1000))
else
  redis.call('DEL', KEYS[1])
end
return { 1, after }
`

/** A look at the keys of a limit: no more of the server's keys than these are passed over. */
const SPENDING = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cursor, found = '0', {}
for _ = 1, tonumber(ARGV[2]) do
  local page = redis.call('SCAN', cursor, 'MATCH', ARGV[1], 'COUNT', 100)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    local ahead = tonumber(redis.call('GET', key) or now) - now
    if ahead > 0 then table.insert(found, { key, ahead }) end
  end
  if cursor == '0' then break end
end
table.sort(found, function (a, b) return a[2] > b[2] end)
local first = {}
for index = 1, math.min(#found, tonumber(ARGV[3])) do first[index] = found[index] end
return first
`

/** Rounds of about 100 keys each: the server answers nobody else meanwhile. */
const MAX_ROUNDS = 100

/** Keeps budgets in Redis or Valkey, on the clock of the server. The client needs no key prefix of its own. */
export class RedisLimitsStore implements LimitsStore {
  readonly #client: RedisClient

  constructor(client: RedisClient) {
    this.#client = client
  }

  async take(name: string, caller: string, pace: Pace, cost: number): Promise<Spent> {
    const [taken, aheadUs] = await this.#move(name, caller, pace, cost)
    return { taken: taken === 1, aheadUs }
  }

  async giveBack(name: string, caller: string, pace: Pace, cost: number): Promise<void> {
    await this.#move(name, caller, pace, -cost)
  }

  async spending(name: string, count: number): Promise<readonly Spending[]> {
    const prefix = `${PREFIX}${name}\n`
    const pattern = `${prefix.replace(/[\\*?[\]]/g, '\\$&')}*`
    const found = await this.#client.eval(SPENDING, 0, pattern, MAX_ROUNDS, count)
    return (found as [string, number][]).map(([key, aheadUs]) => ({ caller: key.slice(prefix.length), aheadUs }))
  }

  /** The server does it. */
  async purge(): Promise<number> {
    return 0
  }

  #move(name: string, caller: string, pace: Pace, cost: number): Promise<[number, number]> {
    const step = cost * pace.intervalUs
    return this.#client.eval(TAKE, 1, `${PREFIX}${name}\n${caller}`, wholeOf(pace), step) as Promise<[number, number]>
  }
}
