/** A PostgreSQL server of Debian's packages: stopped, killed, and its database on a disk that fills up. */
import { chmodSync } from 'node:fs'
import { PostgresServer, postgresPrograms } from '../../../support/postgres-server.ts'
import { SmallDisk } from '../small-disk.ts'
import type { Absent, Backend } from './backend.ts'

const DISK_MB = 48
const DATABASE = 'campaign'

export async function postgres(diskMb = DISK_MB): Promise<Backend | Absent> {
  const programs = postgresPrograms()
  if (programs === null) return { name: 'postgres', absent: 'no PostgreSQL server is installed' }
  const server = await PostgresServer.start(programs)
  const disk = SmallDisk.open('postgres', diskMb)
  await makeDatabase(server, disk)
  return {
    name: 'postgres',
    storage: server.url(DATABASE),
    faults: [
      { name: 'the server stops', readable: false, strike: () => server.stop(), mend: () => server.start() },
      { name: 'the server is killed', readable: false, strike: () => server.kill(), mend: () => server.start() },
      { name: 'the server hangs', readable: false, strike: () => server.pause(), mend: () => server.resume() },
      ...(disk.mounted ? disk.faults() : [])
    ],
    missing: disk.mounted ? [] : ['no file system can be mounted here: nothing was tried on a full disk'],
    async close() {
      await server.kill()
      disk.close()
      server.remove()
    }
  }
}

/** In a tablespace on this disk, so that the write-ahead log keeps its room: a full disk there ends the whole server. */
async function makeDatabase(server: PostgresServer, disk: SmallDisk): Promise<void> {
  server.give(disk.folder)
  chmodSync(disk.folder, 0o700)
  const tablespace = `create tablespace small location '${disk.folder}'`
  await server.administer(tablespace, `create database ${DATABASE} tablespace small`)
}
