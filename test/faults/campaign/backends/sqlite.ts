/** SQLite in the application itself: it has no server that could stop; its disk can fill up. */
import { join } from 'node:path'
import { SmallDisk } from '../small-disk.ts'
import type { Backend } from './backend.ts'

/** Filled in a moment; enough for minutes of writes. */
const DISK_MB = 24

export async function sqlite(diskMb = DISK_MB): Promise<Backend> {
  const disk = SmallDisk.open('sqlite', diskMb)
  return {
    name: 'sqlite',
    storage: `sqlite:${join(disk.folder, 'shop.db')}`,
    faults: disk.faults(),
    missing: [],
    close: async () => disk.close()
  }
}
