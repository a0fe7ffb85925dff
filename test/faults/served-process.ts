/** The server of served-app.ts, seen from a test: its port, what it wrote, and a socket of its own. */
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { Running } from '../support/svc-command.ts'
import type { ServedSettings } from './served-app.ts'

const APP = fileURLToPath(new URL('./served-app.js', import.meta.url))

export interface ServedProcess {
  readonly running: Running
  readonly port: number
  get(path: string): Promise<Response>
}

export async function startServed(t: Test, settings: ServedSettings = {}): Promise<ServedProcess> {
  const { server, ...others } = settings
  const argument = JSON.stringify({ ...others, server: { port: 0, ...server } })
  const running = new Running(process.execPath, [APP, argument], { cwd: process.cwd() })
  t.teardown(() => running.stop('SIGKILL'))
  const [, port] = await running.shows(/http:\/\/127\.0\.0\.1:(\d+)/)
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  return { running, port: Number(port), get }
}
