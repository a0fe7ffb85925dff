/** The engine of a run: the server of `DOCDB_TEST_URI`, else the embedded one in a child process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Engine {
  readonly name: string
  readonly uri: string
  stop(): Promise<void>
}

const DATABASE = 'svc_bench'

export async function startEngine(given: string | undefined): Promise<Engine> {
  if (given !== undefined && given !== '') {
    const url = new URL(given)
    url.pathname = `/${DATABASE}`
    return { name: 'the server of DOCDB_TEST_URI', uri: url.href, stop: async () => undefined }
  }
  const program = join(import.meta.dirname, 'engine-process.js')
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const uri = `mongodb://127.0.0.1:${Number(String(port))}/${DATABASE}?replicaSet=rs0`
  return { name: 'svc-docdb-embedded, in a process of its own', uri, stop: () => ended(child) }
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.stdin?.end()
  await exited
}
