/** What instances of an application share: a database, and with it Redis where messages are to reach sockets of all. */
import type { Absent, Backend } from '../campaign/backends/backend.ts'
import { documents } from '../campaign/backends/documents.ts'
import { postgres } from '../campaign/backends/postgres.ts'
import { redis } from '../campaign/backends/redis.ts'

export const SHARED: Readonly<Record<string, () => Promise<Backend | Absent>>> = {
  postgres,
  'postgres and redis': async () => {
    const [database, broker] = [await postgres(), await redis()]
    for (const part of [database, broker]) {
      if (!('absent' in part)) continue
      await Promise.all([database, broker].map((each) => ('absent' in each ? undefined : each.close())))
      return part
    }
    const [{ storage, faults }, { redis: address = '' }] = [database, broker] as [Backend, Backend]
    return {
      name: 'postgres and redis',
      storage,
      redis: address,
      faults,
      missing: [],
      close: async () => void (await Promise.all([database, broker].map((each) => (each as Backend).close())))
    }
  },
  documents
}
