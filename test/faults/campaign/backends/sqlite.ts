/** SQLite in the application itself: it has no server that could stop; its disk can fill up. */
import { join } from 'node:path'
import { SmallDisk } from '../small-disk.ts'
import type { Backend } from './backend.ts'

const DISK_MB = 24

export async function sqlite(): Promise<Backend> {
  const disk = SmallDisk.open('sqlite', DISK_MB)
  return {
    name: 'sqlite',
    storage: `sqlite:${join(disk.folder, 'shop.db')}`,
    faults: disk.faults(),
    missing: [],
    close: async () => disk.close()
  }
}
