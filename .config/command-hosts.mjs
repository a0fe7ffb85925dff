/**
 * `svc` commands in processes that are kept for the next one. All tests of a run share them: as many as work at one
 * time. They end with the run, which removes the folder of their sockets.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { folderOfRun } from './made-once.mjs'
import { root } from './run-step.mjs'
import { addKept } from './test-times.mjs'

const HOST = join(root, '.config/command-host.mjs')
const YOUNG = '--min-semi-space-size=64'
const POLL_MS = 5

/**
 * @param given `{ args, cwd, env, stdin }`: the arguments after `svc`, its folder, all of its environment, what it reads;
 *   `{ script, cwd, env }` for a program that runs once, by its absolute path
 * @param timeoutMs the command is ended after that time, and has no exit code
 * @returns `{ code, stdout, stderr }`, as a process of its own would leave them
 */
export async function runInHost(given, timeoutMs) {
  const { connection, socket } = await claimHost()
  const late = setTimeout(() => connection.destroy(), timeoutMs)
  let answer = ''
  connection.on('data', (text) => {
    answer += text
  })
  connection.write(`${JSON.stringify(given)}\n`)
  await once(connection, 'close')
  clearTimeout(late)
  if (answer === '') return whatRemains(socket)
  const { result, seconds } = JSON.parse(answer)
  addKept(seconds)
  return result
}

/** One that has nothing to do, or a new one. */
async function claimHost() {
  const folder = folderOfRun('commands')
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.sock')) continue
    const connection = await claim(join(folder, name))
    if (connection !== null) return { connection, socket: join(folder, name) }
  }
  for (;;) {
    const socket = await startHost(folder)
    const connection = await claim(socket)
    if (connection !== null) return { connection, socket }
  }
}

/** @returns `null` where the host has something to do, or is gone */
function claim(socket) {
  return new Promise((resolve) => {
    const connection = connect(socket).setEncoding('utf8')
    connection.once('error', () => resolve(null))
    connection.once('close', () => resolve(null))
    connection.once('data', () => resolve(connection))
  })
}

let started = 0

async function startHost(folder) {
  started += 1
  const socket = join(folder, `${process.pid}-${started}.sock`)
  const [out, err] = ['out', 'err'].map((name) => openSync(`${socket}.${name}`, 'a'))
  const child = spawn(process.execPath, [YOUNG, HOST, socket], {
    cwd: root,
    detached: true,
    stdio: ['ignore', out, err]
  })
  child.unref()
  closeSync(out)
  closeSync(err)
  while (!existsSync(socket)) {
    if (child.exitCode !== null) throw new Error(readFileSync(`${socket}.err`, 'utf8'))
    await sleep(POLL_MS)
  }
  return socket
}

/** The command ended the process. */
async function whatRemains(socket) {
  rmSync(socket, { force: true })
  const read = (name) => (existsSync(`${socket}.${name}`) ? readFileSync(`${socket}.${name}`, 'utf8') : '')
  const code = read('code')
  return { code: code === '' ? null : Number(code), stdout: read('out'), stderr: read('err') }
}
