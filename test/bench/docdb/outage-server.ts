/** A server that a run may stop and start: the embedded engine as a process with a file, or one behind two shell commands. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../support/ports.ts'

export interface OutageServer {
  readonly name: string
  readonly uri: string
  /** At once, as a crash would. */
  readonly stop: () => Promise<void>
  /** Resolves when it takes connections. */
  readonly start: () => Promise<void>
  readonly end: () => Promise<void>
}

const DATABASE = 'svc_bench'

/** @param env `DOCDB_TEST_URI` with `DOCDB_STOP` and `DOCDB_START`, or none of them */
export async function outageServer(env: Readonly<Record<string, string | undefined>>): Promise<OutageServer> {
  const { DOCDB_TEST_URI: uri, DOCDB_STOP: stop, DOCDB_START: start } = env
  if (uri === undefined || uri === '') return embedded()
  if (stop === undefined || start === undefined) throw new Error('DOCDB_TEST_URI needs DOCDB_STOP and DOCDB_START here')
  return commanded(uri, stop, start)
}

async function embedded(): Promise<OutageServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const port = await freePort()
  let child: ChildProcess | null = null
  const stop = async () => {
    if (child === null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    child = null
  }
  return {
    name: 'svc-docdb-embedded, in a process of its own',
    uri: `mongodb://127.0.0.1:${port}/${DATABASE}?replicaSet=rs0`,
    stop,
    start: async () => {
      const program = join(import.meta.dirname, 'engine-process.js')
      const parts = [program, join(folder, 'data.db'), String(port)]
      const started = spawn(process.execPath, parts, { stdio: ['pipe', 'pipe', 'inherit'] })
      child = started
      await once(started.stdout, 'data')
    },
    end: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function commanded(given: string, stop: string, start: string): OutageServer {
  const url = new URL(given)
  url.pathname = `/${DATABASE}`
  const shell = async (command: string) => void (await promisify(execFile)('sh', ['-c', command]))
  const listening = () => isListening(url.hostname, Number(url.port || 27_017))
  return {
    name: 'the server of DOCDB_TEST_URI',
    uri: url.href,
    stop: () => shell(stop),
    start: async () => {
      if (!(await listening())) await shell(start)
      for (let turn = 0; turn < 3000 && !(await listening()); turn += 1) await pause(10)
    },
    end: async () => undefined
  }
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
