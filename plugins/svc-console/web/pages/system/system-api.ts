/** State, its last hour, rates and the level of the log, of svc-ops. */
import { call } from '../../app/api.ts'

/** Of some seconds. */
interface EventLoop {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly utilization: number
}

interface QueueDepth {
  readonly name: string
  readonly depth: number
}

export interface SystemSample {
  /** Epoch ms. */
  readonly at: number
  readonly eventLoop: EventLoop
  /** In bytes. */
  readonly memory: { readonly rss: number; readonly heapUsed: number }
  readonly queues: readonly QueueDepth[]
}

export interface System {
  readonly name: string
  readonly mode: string
  readonly pid: number
  readonly versions: { readonly node: string; readonly fastify: string }
  /** Epoch ms. */
  readonly startedAt: number
  /** In bytes. */
  readonly memory: { readonly rss: number; readonly heapUsed: number; readonly heapTotal: number }
  readonly eventLoop: EventLoop
  readonly health: readonly { readonly name: string; readonly healthy: boolean }[]
  readonly queues: readonly QueueDepth[]
  readonly modules: readonly { readonly name: string; readonly version: string | null; readonly options: unknown }[]
  /** `null` where the logger has none. */
  readonly logLevel: string | null
}

interface Counted {
  readonly count: number
  readonly failures: number
  /** Milliseconds; `null` without a request. */
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

export interface Rates {
  readonly minutes: readonly (Counted & { readonly at: number })[]
  readonly total: Counted
}

export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

const API = '/svc/ops/api'

export const readSystem = () => call<System>('GET', `${API}/system`)
export const readRates = () => call<Rates>('GET', `${API}/rates`)
export const readHistory = async () => (await call<{ samples: SystemSample[] }>('GET', `${API}/history`)).samples
export const setLogLevel = (level: string) =>
  call<{ level: string; before: string }>('PUT', `${API}/log-level`, { level })
