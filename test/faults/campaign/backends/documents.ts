/** The embedded document engine in a process of its own: stopped, killed, and its file on a disk that fills up. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plainCommand } from '../../../support/plain-command.ts'
import { freePort } from '../../../support/ports.ts'
import { SmallDisk } from '../small-disk.ts'
import type { Backend } from './backend.ts'
import { ServerProcess } from './server-process.ts'

const PROGRAM = fileURLToPath(new URL('./document-engine.js', import.meta.url))
/** Filled in a moment; enough for minutes of writes. */
const DISK_MB = 64

export async function documents(diskMb = DISK_MB): Promise<Backend> {
  const disk = SmallDisk.open('documents', diskMb)
  const port = await freePort()
  const args = [PROGRAM, String(port), join(disk.folder, 'shop.db')]
  const server = new ServerProcess(
    () => spawn(...plainCommand(process.execPath, args), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
    (child) => once(child, 'message')
  )
  await server.start()
  return {
    name: 'documents',
    storage: `mongodb://127.0.0.1:${port}/campaign?replicaSet=rs0`,
    faults: [
      { name: 'the server stops', readable: false, strike: () => server.end('SIGTERM'), mend: () => server.start() },
      {
        name: 'the server is killed',
        readable: false,
        strike: () => server.end('SIGKILL'),
        mend: () => server.start()
      },
      {
        name: 'the server hangs',
        readable: false,
        strike: () => server.signal('SIGSTOP'),
        mend: () => server.signal('SIGCONT')
      },
      ...disk.faults(() => server.pid)
    ],
    missing: [],
    async close() {
      await server.end('SIGKILL')
      disk.close()
    }
  }
}
