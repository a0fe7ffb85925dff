/** `svc-limits/stores`: the store of spent budgets, for drivers and for a store of the application's own. */
export type { Pace, Spent } from './limit/gcra.ts'
export type { LimitsStore, Spending } from './storage/limits-store.ts'
export { type RedisClient, RedisLimitsStore } from './storage/redis-limits-store.ts'
export { limitsStore } from './storage/table-limits-store.ts'
