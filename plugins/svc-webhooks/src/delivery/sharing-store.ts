/**
 * The store of endpoints, asked less often: of attempts at one endpoint that begin while it is being read, all take the
 * next reading, and none is older than its call; of successes in a row, few are written, the last always.
 */
import type { WebhooksStore } from '../endpoints/endpoint-store.ts'
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

  /** The endpoint is deleted. */
  forget(id: string): void {
    this.#successes.forget(id)
  }

  /** Writes what waits. Never rejects. */
  close(): Promise<void> {
    return this.#successes.close()
  }
}

/** One call per key at a time; callers that come meanwhile wait for the next one, which begins when that is over. */
function shared<Value>(call: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const [current, next] = [new Map<string, Promise<Value>>(), new Map<string, Promise<Value>>()]
  const begin = (key: string): Promise<Value> => {
    next.delete(key)
    const made = call(key)
    current.set(key, made)
    const over = () => void current.delete(key)
    made.then(over, over)
    return made
  }
  return (key) => {
    const running = current.get(key)
    if (running === undefined) return begin(key)
    const again = () => begin(key)
    const waiting = next.get(key) ?? running.then(again, again)
    next.set(key, waiting)
    return waiting
  }
}
