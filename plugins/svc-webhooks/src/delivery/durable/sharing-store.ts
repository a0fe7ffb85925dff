/**
 * The store of endpoints, asked less often: of attempts at one endpoint that begin while it is being read, all take the
 * next reading; of successes that come while one is being written, the last is written. No reading is older than its call.
 */
import type { WebhooksStore } from '../../endpoints/endpoint-store.ts'

type Asked = Pick<WebhooksStore, 'find' | 'recordSuccess' | 'recordFailure' | 'disable'>

export function sharingStore(store: Asked): Asked {
  const statuses = new Map<string, number>()
  const find = shared((id) => store.find(id))
  const recordSuccess = shared((id) => store.recordSuccess(id, statuses.get(id) as number))
  return {
    find,
    recordSuccess: async (id, status) => {
      statuses.set(id, status)
      return recordSuccess(id)
    },
    recordFailure: (id, status, error) => store.recordFailure(id, status, error),
    disable: (id, threshold) => store.disable(id, threshold)
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
