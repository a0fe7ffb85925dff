/** Starts a server as a process of its own, asks until it answers, and gives what the process noted of its start. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../support/ports.ts'
import type { StartNote } from './note-start.ts'

const PRELOAD = fileURLToPath(new URL('./note-start.js', import.meta.url))

/** A server that listens on `PORT` and answers `/api/hello`. */
export interface Server {
  readonly name: string
  /** Absolute path of its script, then its arguments. */
  readonly script: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Start extends StartNote {
  /** From the start of the process to the first answer, in milliseconds. */
  readonly wall: number
}

/** @param flags of Node, before the script */
export async function startOnce(server: Server, flags: readonly string[] = [], env = {}): Promise<Start> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, ['--import', PRELOAD, ...flags, ...server.script], {
    cwd: server.cwd,
    env: { ...process.env, ...server.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe']
  })
  const ended = once(child, 'exit')
  const [note, complaint] = [text(child.stdio[3] as Readable), text(child.stderr as Readable)]
  while (child.exitCode === null && !(await answers(port))) await new Promise((resume) => setTimeout(resume, 2))
  const wall = performance.now() - began
  await ended
  const noted = await note
  if (noted === '') throw new Error(`${server.name} ended without an answer: ${await complaint}`)
  return { ...(JSON.parse(noted) as StartNote), wall }
}

/** @throws when it answers anything but 200 */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/api/hello' }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve(true)
      else reject(new Error(`the answer is ${response.statusCode}`))
    }).on('error', () => resolve(false))
  })
}
