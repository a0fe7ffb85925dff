/** What a server says of itself when a connection opens. */
import type { Db } from 'mongodb'

export interface ServerFacts {
  readonly version: string | null
  /** A replica set or a sharded cluster; a standalone server has no transactions. */
  readonly transactions: boolean
}

export async function readServerFacts(db: Db): Promise<ServerFacts> {
  const [hello, build] = await Promise.all([
    db.command({ hello: 1 }),
    // Some services keep it to their administrators.
    db.command({ buildInfo: 1 }).catch(() => ({}) as { version?: unknown })
  ])
  const { setName, msg } = hello as { setName?: unknown; msg?: unknown }
  return {
    version: typeof build.version === 'string' ? build.version : null,
    transactions: typeof setName === 'string' || msg === 'isdbgrid'
  }
}
