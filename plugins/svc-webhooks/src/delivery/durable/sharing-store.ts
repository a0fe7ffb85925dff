/**
 * The store of endpoints, asked less often: of attempts at one endpoint that begin while it is being read, all take the
 * next reading, and none is older than its call; of successes in a row, few are written, the last always.
 */
import type { WebhooksStore } from '../../endpoints/endpoint-store.ts'
import { type SuccessParts, SuccessWriter } from './success-writer.ts'

type Asked = Pick<WebhooksStore, 'find' | 'recordSuccess' | 'recordFailure' | 'disable'>

export class SharingStore implements Asked {
  readonly find: (id: string) => ReturnType<WebhooksStore['find']>
  readonly #store: Asked
  readonly #successes: SuccessWriter

  constructor(parts: SuccessParts & { readonly store: Asked }) {
    this.#store = parts.store
    this.#successes = new SuccessWriter(parts)
    this.find = shared((id) => parts.store.find(id))
  }

  recordSuccess(id: string, status: number): Promise<boolean> {
    return this.#successes.record(id, status)
  }

  async recordFailure(id: string, status: number | null, error: string): Promise<number | null> {
    await this.#successes.written(id)
    return this.#store.recordFailure(id, status, error)
  }

  disable(id: string, threshold: number): Promise<boolean> {
    return this.#store.disable(id, threshold)
  }

  /** Writes what waits. Never rejects. */
  close(): Promise<void> {
    return this.#successes.close()
  }
}

interface Calls<Value> {
  /** Under way. */
  readonly current: Promise<Value>
  /** Begins when that is over; whoever comes now waits for it. */
  next: Promise<Value> | null
}

/** One call per key at a time. */
function shared<Value>(call: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const running = new Map<string, Calls<Value>>()
  const begin = (key: string): Promise<Value> => {
    const current = call(key)
    const calls: Calls<Value> = { current, next: null }
    running.set(key, calls)
    const over = () => {
      if (calls.next === null) running.delete(key)
    }
    current.then(over, over)
    return current
  }
  return (key) => {
    const calls = running.get(key)
    if (calls === undefined) return begin(key)
    calls.next ??= calls.current.then(
      () => begin(key),
      () => begin(key)
    )
    return calls.next
  }
}
